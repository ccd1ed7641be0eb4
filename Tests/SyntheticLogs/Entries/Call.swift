import Verifications

/// What happened: one request to a callable function, known by the moment at which its tokens were checked.
struct Call {
    let deployment: Int
    let app: TokenStatus
    let auth: TokenStatus
    /// Nanoseconds since 1970 at which the tokens were checked.
    let verifiedAt: Int64
    let startedAt: Int64
    let finishedAt: Int64
    let client: Client
    /// The HTTP status of the answer.
    let status: Int
    let trace: TraceID
    let spanID: UInt64
    let executionID: UInt64
    let instance: Int

    init(
        _ deployment: Deployment, index: Int, app: TokenStatus, auth: TokenStatus, verifiedAt: Int64,
        client: Client? = nil, using random: inout SeededRandom
    ) {
        self.deployment = index
        self.app = app
        self.auth = auth
        self.verifiedAt = verifiedAt
        startedAt = verifiedAt - Int64(random.within(2_000_000..<40_000_000))
        self.client = client ?? Client.drawn(app: app, auth: auth, using: &random)
        let isRefused = deployment.refuses(app: app, auth: auth, on: Instant(nanoseconds: verifiedAt).day)
        let draw = random.below(100)
        let isForbidden = deployment.refusesSignedOut && auth == .missing
        status = isRefused ? 401 : isForbidden ? 403 : draw < 97 ? 200 : draw < 99 ? 400 : 500
        finishedAt = verifiedAt + Int64(isRefused ? 500_000 : random.within(2_000_000..<900_000_000))
        trace = TraceID(high: random.next(), low: random.next())
        spanID = random.next()
        executionID = random.next() >> 4
        instance = deployment.instance(at: verifiedAt, using: &random)
    }

    var failed: Bool {
        app == .invalid || auth == .invalid
    }
}

extension Deployment {
    /// Whether the SDK answers 401 instead of calling the function.
    func refuses(app: TokenStatus, auth: TokenStatus, on day: Day) -> Bool {
        if auth == .invalid || (sdk == .version3 && app == .invalid) { return true }
        guard let enforcedSince else { return false }
        return app != .valid && day >= enforcedSince
    }
}

extension Instant {
    init(nanoseconds: Int64) {
        self.init(seconds: nanoseconds / 1_000_000_000, nanoseconds: UInt32(nanoseconds % 1_000_000_000))
    }
}
