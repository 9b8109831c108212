// API calls about live browsers.
import type { BrowserShare, BrowserState } from '@harvestman/client'

import { call } from './api.ts'
import type { Language, Ran } from './code.ts'

/** A URL that is empty or absent if there is none. */
export type Told = string | null | undefined

export interface Session {
  readonly id: string
  readonly cdpUrl?: Told
  readonly liveViewUrl?: Told
  readonly interactiveLiveViewUrl?: Told
  readonly createdAt?: string
}

/** How a session ended. */
export type SessionEnd = Pick<BrowserState, 'endReason' | 'endedAt' | 'sessionDurationMs' | 'creditsBilled'>

const base = 'v2/browser'
const at = (id: string): string => `${base}/${encodeURIComponent(id)}`

export async function openSessions(signal: AbortSignal): Promise<readonly Session[]> {
  return (await call<{ sessions: readonly Session[] }>(`${base}?status=active`, { signal })).sessions
}

export async function newSession(): Promise<Session> {
  return call<Session>(base, { method: 'POST', body: {} })
}

export async function stopSession(id: string): Promise<void> {
  await call(at(id), { method: 'DELETE' })
}

export async function readEnd(id: string, signal: AbortSignal): Promise<SessionEnd> {
  return call<SessionEnd>(at(id), { signal })
}

/** Returns the languages in which the server runs code in an open session. */
export async function readLanguages(id: string, signal: AbortSignal): Promise<readonly Language[]> {
  return (await call<{ languages?: readonly Language[] }>(at(id), { signal })).languages ?? []
}

/** Runs code in a session. Resolves even if the code fails. */
export async function runCode(
  id: string,
  code: { readonly code: string; readonly language: Language; readonly timeout: number },
  signal: AbortSignal,
): Promise<Ran> {
  return call<Ran>(`${at(id)}/execute`, { method: 'POST', body: code, signal, mayTellFailure: true })
}

export async function readShares(id: string, signal: AbortSignal): Promise<readonly BrowserShare[]> {
  return (await call<{ shares: readonly BrowserShare[] }>(`${at(id)}/shares`, { signal })).shares
}

export async function share(id: string, ttl: number): Promise<BrowserShare> {
  return call<BrowserShare>(`${at(id)}/shares`, { method: 'POST', body: { ttl } })
}

export async function endShare(id: string, { id: link }: BrowserShare): Promise<void> {
  await call(`${at(id)}/shares/${encodeURIComponent(link)}`, { method: 'DELETE' })
}
