import { defineBoolean } from "firebase-functions/params";
export const ENFORCE = defineBoolean("ENFORCE_APP_CHECK", {
    description: "Refuse requests (401); default: true",
    default: false,
});
export const strictInvites: boolean = false;
export const flags = { payments: false };
