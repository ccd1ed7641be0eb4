import { ENFORCE, strictInvites as strict } from "./params";
export const bookTable = onCall({ cors: [/https:\/\/shop/], enforceAppCheck: ENFORCE }, book);
export const addMessage = onCall({ enforceAppCheck: strict }, async () => "https://example.com/*");
export const open = onCall({ enforceAppCheck: false }, async () => "*/");
