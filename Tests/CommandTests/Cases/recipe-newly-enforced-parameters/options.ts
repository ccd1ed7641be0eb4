import { ENFORCE, strictInvites } from "./params";
setGlobalOptions({ enforceAppCheck: ENFORCE });
export const shared = { enforceAppCheck: strictInvites && !isLocal() };
exports.vote = onCall({ enforceAppCheck: appCheckIsOn() }, vote);
exports.list = onCall({ enforceAppCheck: defineBoolean("LISTING") }, list);
export const FINDING = defineBoolean("FINDING");
