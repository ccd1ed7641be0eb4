import Readiness

/// What `explain` says about one function, before it is put into a format.
struct Page {
    /// The name of the function and where it runs.
    let title: [Wording]
    /// The verdict with the number that decided.
    let verdict: Assessment
    let brief: Wording
    let sections: [Section]
    /// What all of it rests on, and what makes that doubtful.
    let foundations: [Wording]
    let notes: [Note]

    struct Section {
        let title: String
        let blocks: [Block]
    }

    enum Block {
        case paragraph(Wording)
        case item(Wording)
        /// Sentences behind numbers or commands that stand below each other.
        case figures([(figure: Wording, text: Wording)])
        case days(DayChart)
        /// Lines to copy, never broken.
        case code([String], language: String)
    }
}
