import * as params from "./params";
export const scanReceipt = onCall({ memory: "1GiB", enforceAppCheck: params.ENFORCE.value() }, scan);
exports.createInvite = onCall(
    {
        region: "us-central1",
        enforceAppCheck: params.strictInvites,
    },
    invite,
);
exports.pay = functions.runWith({ enforceAppCheck: params.flags.payments }).https.onCall(pay);
exports.rename = onCall({ enforceAppCheck: process.env.STRICT_NAMES === "true" }, rename);
const REMOVALS = defineBoolean("REMOVALS");
const enforceAppCheck = REMOVALS;
exports.remove = onCall({ enforceAppCheck }, remove);
