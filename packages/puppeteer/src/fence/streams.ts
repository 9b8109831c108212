import type { DownloadEvent, Downloads } from './shared.ts'
import { misfit, pass, type Outcome } from './outcome.ts'
import type { Params } from './shapes.ts'
import type { Line } from './switch.ts'

/** The streams that one client may read: those opened by its own commands, and the session's downloads. */
export interface Streams {
  /** Remembers the stream that a command has opened, if any. Returns the outcome unchanged. */
  note(sessionId: string, outcome: Outcome): Outcome
  read(params: Params, line: Line, sessionId?: string): Promise<Outcome>
  close(params: Params, line: Line, sessionId?: string): Promise<Outcome>
}

export const downloadPrefix = 'download:'

const maxStreams = 50
const defaultChunk = 1_048_576
const maxChunk = 4_194_304
const unknown: Outcome = { refusal: 'Invalid stream handle. A client reads the streams that its own commands opened.' }

/**
 * Creates access to the streams that a client's commands opened, of which the last 50 are remembered, and to downloads as
 * streams. Other streams cannot be read. A read returns 1 MiB by default and at most 4 MiB.
 */
export function makeStreams(downloads: Downloads): Streams {
  const open = new Set<string>()
  const positions = new Map<string, number>()
  const keyOf = (sessionId: string | undefined, handle: string): string => `${sessionId ?? ''} ${handle}`

  const readDownload = async (guid: string, given: unknown, size: number): Promise<Outcome> => {
    const offset = typeof given === 'number' ? given : (positions.get(guid) ?? 0)
    if (offset < 0) return misfit("'offset' must not be negative.")
    const chunk = await downloads.read(guid, offset, size)
    if (typeof chunk === 'string') return { refusal: chunk }
    const { data, eof } = chunk
    positions.set(guid, offset + data.length)
    return { result: { data: data.toString('base64'), base64Encoded: true, eof } }
  }

  return {
    note: (sessionId, outcome) => {
      const stream = 'result' in outcome ? (outcome.result as { readonly stream?: unknown }).stream : undefined
      if (typeof stream !== 'string') return outcome
      if (open.size >= maxStreams) open.delete(open.values().next().value ?? '')
      open.add(keyOf(sessionId, stream))
      return outcome
    },
    read: async ({ handle: given, offset, size: asked }, line, sessionId) => {
      const handle = String(given)
      const size = Math.min(Math.max(1, Number(asked ?? defaultChunk)), maxChunk)
      if (handle.startsWith(downloadPrefix)) return readDownload(handle.slice(downloadPrefix.length), offset, size)
      if (sessionId === undefined || !open.has(keyOf(sessionId, handle))) return unknown
      return pass(line, 'IO.read', { handle, size, ...(offset !== undefined && { offset }) }, sessionId)
    },
    close: async ({ handle: given }, line, sessionId) => {
      const handle = String(given)
      if (handle.startsWith(downloadPrefix)) {
        const guid = handle.slice(downloadPrefix.length)
        if (!downloads.has(guid)) return unknown
        positions.delete(guid)
        await downloads.remove(guid)
        return { result: {} }
      }
      if (sessionId === undefined || !open.delete(keyOf(sessionId, handle))) return unknown
      return pass(line, 'IO.close', { handle }, sessionId)
    },
  }
}

/** Tracks where a client has allowed downloads, and which of its sessions receive the events. */
export interface ClientDownloads {
  set(contextId: string, behavior: string, isHeard: boolean, sessionId: string | undefined): Promise<Outcome>
  end(): void
}

/**
 * Creates the download settings of one client. `say` sends it the events of downloads, if it has requested them. `set` resolves
 * to a refusal if downloads are not possible.
 */
export function makeClientDownloads(
  downloads: Downloads,
  say: (method: string, params: object, sessionId: string | undefined) => void,
): ClientDownloads {
  const allowed = new Map<string, () => void>()
  const hearing = new Set<string | undefined>()
  const hear: DownloadEvent = (method, params) => {
    for (const sessionId of hearing) say(method, params, sessionId)
  }
  let leave: (() => void) | undefined
  return {
    set: async (contextId, behavior, isHeard, sessionId) => {
      if (isHeard) hearing.add(sessionId)
      else hearing.delete(sessionId)
      leave ??= downloads.listen(hear)
      const mayDownload = behavior === 'allow' || behavior === 'allowAndName'
      if (mayDownload === allowed.has(contextId)) return { result: {} }
      if (!mayDownload) {
        allowed.get(contextId)?.()
        allowed.delete(contextId)
        return { result: {} }
      }
      const end = await downloads.allow(contextId)
      if (typeof end === 'string') return { refusal: end }
      allowed.set(contextId, end)
      return { result: {} }
    },
    end: () => {
      leave?.()
      for (const end of allowed.values()) end()
      allowed.clear()
    },
  }
}
