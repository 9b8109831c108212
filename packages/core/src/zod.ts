// In the published package, a bundle of the zod functions that our packages use replaces this file (`scripts/own-zod.ts`), so
// that they share one small copy. Only types are declared, because it is internal: apps and plugins import zod themselves.
/** Types of zod. */
export type { z } from 'zod'
