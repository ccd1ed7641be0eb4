/// Why a verification could not be read, so that it counts as malformed.
enum Malformation {
    case notJSON
    /// More containers are open at once than ``JSONScanner/depthLimit``.
    case tooDeep
    /// A name that would be kept is longer than ``NameTable/textLimit``.
    case nameTooLong
    /// The data of a Pub/Sub message is no base64.
    case dataNotBase64
    /// The data of a Pub/Sub message is compressed and damaged.
    case dataNotGzip
    /// The data of a Pub/Sub message is compressed and longer than a record may be.
    case dataTooLong
    /// The data of a Pub/Sub message shows a verification and is no object.
    case dataNotEntry
}
