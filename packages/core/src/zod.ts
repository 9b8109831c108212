// Published, this file holds what our packages use of zod, so that they share one small copy: scripts/own-zod.ts puts it in this place.
// Of that it tells the types alone, for it is not for others: programs and plugins import zod.
/** What zod exports. */
export type { z } from 'zod'
