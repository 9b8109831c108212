import type { Words } from '../route/route.ts'

/** The sentences about live browsers. */
export const words: Words = {
  notFound: 'Browser session not found.',
  forbidden: 'Forbidden.',
  statuses: { not_configured: 503, browser_failed: 502, connection_failed: 502, model_unavailable: 502, timeout: 502 },
}

/** Common part of the rows about live browsers. */
export const common = { group: 'interact', needs: ['sessions'], words } as const
/** Errors of a call about one live browser. */
export const ending = ['forbidden', 'not_found', 'conflict', 'session_over', 'browser_failed'] as const

/** Paths of live browsers: the public API has two names for them. */
export type Base = '/v2/browser' | '/v2/interact'
