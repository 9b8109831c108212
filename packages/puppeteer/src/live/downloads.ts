import { constants } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { TransientMap } from '@harvestman/ports/adapters'

import type { DownloadChunk, DownloadEvent, Downloads } from '../fence/shared.ts'
import type { Connection, Protocol } from '../lib/cdp.ts'

export interface DownloadsOptions {
  readonly connection: Connection
  /** The folder of the browser on this host; absent for a browser elsewhere. */
  readonly folder: string | undefined
  /** Is called when the first context allows downloads, and when the last one no longer does. */
  readonly onAllowed: (isAllowed: boolean) => void
  readonly limits?: DownloadLimits
}

export interface DownloadLimits {
  /** Bytes of all files of a session. */
  readonly bytes: number
  readonly files: number
}

export const defaultDownloadLimits: DownloadLimits = { bytes: 100_000_000, files: 100 }

type State = 'inProgress' | 'completed' | 'canceled' | 'refused'

interface Download {
  state: State
  readonly contextId: string | undefined
}

const pollInterval = 100

export function makeDownloads(options: DownloadsOptions): Downloads {
  const { connection, folder, onAllowed, limits = defaultDownloadLimits } = options
  const path = folder === undefined ? undefined : join(folder, 'downloads')
  const files = new TransientMap<string, Download>()
  const listeners = new Set<DownloadEvent>()
  const allowing = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  const setBehavior = (contextId: string): Promise<unknown> =>
    connection.send('Browser.setDownloadBehavior', {
      browserContextId: contextId,
      ...(allowing.has(contextId) && path !== undefined
        ? { behavior: 'allowAndName', downloadPath: path, eventsEnabled: true }
        : { behavior: 'deny' }),
    })

  const cancel = async (guid: string): Promise<void> => {
    await connection.send('Browser.cancelDownload', { guid }).catch(() => undefined)
  }

  const active = (): string[] => [...files].filter(([, { state }]) => state === 'inProgress').map(([guid]) => guid)

  /** Chromium reports progress twice a second. That is too rare to bound what a page may write. */
  const watch = async (): Promise<void> => {
    if (active().length > 0 && (await sizeOf(path)) > limits.bytes)
      for (const guid of active()) {
        files.set(guid, { state: 'refused', contextId: undefined })
        await cancel(guid)
      }
    timer = active().length > 0 ? setTimeout(() => void watch(), pollInterval).unref() : undefined
  }

  const begin = ({ guid }: Protocol.Browser.DownloadWillBeginEvent): void => {
    const isOver = files.size >= limits.files
    files.set(guid, { state: isOver ? 'refused' : 'inProgress', contextId: undefined })
    if (isOver) void cancel(guid)
    else timer ??= setTimeout(() => void watch(), pollInterval).unref()
  }

  const report: DownloadEvent = (method, params) => {
    for (const listener of listeners) listener(method, params)
  }
  connection.on('Browser.downloadWillBegin', (event) => {
    begin(event)
    report('Browser.downloadWillBegin', { ...event })
  })
  connection.on('Browser.downloadProgress', ({ filePath: _ofThisHost, ...event }) => {
    const known = files.get(event.guid)
    if (known?.state === 'inProgress') known.state = event.state
    report('Browser.downloadProgress', { ...event })
  })

  return {
    allow: async (contextId) => {
      if (path === undefined)
        return 'Downloads of a browser at an endpoint stay there. Fetch the file in the page, or scrape its URL.'
      allowing.set(contextId, (allowing.get(contextId) ?? 0) + 1)
      onAllowed(true)
      await setBehavior(contextId)
      return () => {
        const left = (allowing.get(contextId) ?? 1) - 1
        if (left > 0) return void allowing.set(contextId, left)
        allowing.delete(contextId)
        onAllowed(allowing.size > 0)
        setBehavior(contextId).catch(() => undefined)
      }
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    cancel,
    has: (guid) => files.has(guid),
    read: async (guid, offset, size) => {
      const file = files.get(guid)
      if (!file || path === undefined) return 'There is no such download in this session.'
      if (file.state !== 'completed') return unreadable[file.state](limits)
      return readChunk(join(path, guid), offset, size)
    },
    remove: async (guid) => {
      const file = files.get(guid)
      if (!file || path === undefined) return
      if (file.state === 'inProgress') await cancel(guid)
      files.delete(guid)
      await rm(join(path, guid), { force: true })
    },
  }
}

const unreadable: Readonly<Record<Exclude<State, 'completed'>, (limits: DownloadLimits) => string>> = {
  inProgress: () => 'The download has not ended. Wait for Browser.downloadProgress with the state "completed".',
  canceled: () => 'The download was canceled.',
  refused: ({ bytes, files }) =>
    `The download was canceled: those of a session have at most ${bytes / 1e6} MB in ${files} files. Close the handles of those that you have read.`,
}

async function readChunk(path: string, offset: number, size: number): Promise<DownloadChunk> {
  // The browser owns the folder: whatever it put there is read only if it is a plain file.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size: all } = await file.stat()
    const { bytesRead, buffer } = await file.read(
      Buffer.alloc(Math.min(size, Math.max(0, all - offset))),
      0,
      undefined,
      offset,
    )
    return { data: buffer.subarray(0, bytesRead), eof: offset + bytesRead >= all }
  } finally {
    await file.close()
  }
}

async function sizeOf(folder = ''): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
