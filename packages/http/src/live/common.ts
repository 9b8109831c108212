import type { Words } from '../route/route.ts'

/** The sentences about live browsers. */
export const words: Words = {
  badId: 'Invalid job ID format. Job ID must be a valid UUID.',
  notFound: 'Browser session not found.',
  forbidden: 'Forbidden.',
  statuses: { not_configured: 503, browser_failed: 502, connection_failed: 502, model_unavailable: 502, timeout: 502 },
}

/** What the rows about live browsers have in common. */
export const common = { group: 'interact', needs: ['sessions'], words } as const
/** How a call about one live browser may fail. */
export const ending = ['forbidden', 'not_found', 'conflict', 'session_over', 'browser_failed'] as const

/** Where live browsers are: the public API has two names for them. */
export type Base = '/v2/browser' | '/v2/interact'
