// Live browsers, as the server is asked about them.
import { call } from './api.ts'
import type { Language, Ran } from './code.ts'

/** An address that is empty while there is none. */
export type Told = string | null | undefined

export interface Session {
  readonly id: string
  readonly cdpUrl?: Told
  readonly liveViewUrl?: Told
  readonly interactiveLiveViewUrl?: Told
  readonly createdAt?: string
}

/** How a session ended. */
export interface SessionEnd {
  readonly endReason?: string
  readonly endedAt?: string
  readonly sessionDurationMs?: number
  readonly creditsBilled?: number
}

/** A link to look at a live browser, which ends before it does. */
export interface Share {
  readonly id: string
  readonly url: string
  readonly expiresAt: string
}

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

/** The languages that the server runs beside an open session. */
export async function readLanguages(id: string, signal: AbortSignal): Promise<readonly Language[]> {
  return (await call<{ languages?: readonly Language[] }>(at(id), { signal })).languages ?? []
}

/** Resolves also when the code fails. */
export async function runCode(
  id: string,
  code: { readonly code: string; readonly language: Language; readonly timeout: number },
  signal: AbortSignal,
): Promise<Ran> {
  return call<Ran>(`${at(id)}/execute`, { method: 'POST', body: code, signal, mayTellFailure: true })
}

export async function readShares(id: string, signal: AbortSignal): Promise<readonly Share[]> {
  return (await call<{ shares: readonly Share[] }>(`${at(id)}/shares`, { signal })).shares
}

export async function share(id: string, ttl: number): Promise<Share> {
  return call<Share>(`${at(id)}/shares`, { method: 'POST', body: { ttl } })
}

export async function endShare(id: string, { id: link }: Share): Promise<void> {
  await call(`${at(id)}/shares/${encodeURIComponent(link)}`, { method: 'DELETE' })
}
