import { constants } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { DownloadChunk, DownloadEvent, Downloads } from '../fence/shared.ts'
import type { Connection } from '../lib/cdp.ts'

export interface DownloadsOptions {
  readonly connection: Connection
  /** Folder of the browser, or `undefined` if it runs on another host. */
  readonly folder: string | undefined
  /** Called with whether any context allows downloads, when that may have changed. */
  readonly onAllowed: (isAllowed: boolean) => void
  readonly limits?: DownloadLimits
}

export interface DownloadLimits {
  /** Maximum size of all files of a session, in bytes. */
  readonly bytes: number
  readonly files: number
}

export const defaultDownloadLimits: DownloadLimits = { bytes: 100_000_000, files: 100 }

type State = 'inProgress' | 'completed' | 'canceled' | 'refused'

const pollInterval = 100

type Files = Map<string, State>

/**
 * Creates the store of the files that a live browser downloads, by default at most 100 files and 100 MB in all, and reports
 * their events. Downloads above the limits are cancelled. Without a folder, downloads are denied.
 */
export function makeDownloads(options: DownloadsOptions): Downloads {
  const { connection, folder, limits = defaultDownloadLimits } = options
  const path = folder === undefined ? undefined : join(folder, 'downloads')
  const files: Files = new Map()
  const listeners = new Set<DownloadEvent>()
  const { allow, cancel } = makePermission(options, path)
  const begin = makeBound(files, limits, path, cancel)
  const report: DownloadEvent = (method, params) => {
    for (const listener of listeners) listener(method, params)
  }
  connection.on('Browser.downloadWillBegin', (event) => {
    begin(event.guid)
    report('Browser.downloadWillBegin', { ...event })
  })
  connection.on('Browser.downloadProgress', ({ filePath: _ofThisHost, ...event }) => {
    if (files.get(event.guid) === 'inProgress') files.set(event.guid, event.state)
    report('Browser.downloadProgress', { ...event })
  })

  return {
    allow,
    cancel,
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    has: (guid) => files.has(guid),
    read: async (guid, offset, size) => {
      const state = files.get(guid)
      if (!state || path === undefined) return 'There is no such download in this session.'
      if (state !== 'completed') return unreadable[state](limits)
      return readChunk(join(path, guid), offset, size)
    },
    remove: async (guid) => {
      if (path === undefined) return
      if (files.get(guid) === 'inProgress') await cancel(guid)
      files.delete(guid)
      await rm(join(path, guid), { force: true })
    },
  }
}

/** Allows downloads in a context as long as at least one client wants them. */
function makePermission(
  { connection, onAllowed }: DownloadsOptions,
  path: string | undefined,
): Pick<Downloads, 'allow' | 'cancel'> {
  const allowing = new Map<string, number>()
  const contexts = new Set<string>()
  const setBehavior = (browserContextId: string): Promise<unknown> =>
    connection.send('Browser.setDownloadBehavior', {
      browserContextId,
      ...(allowing.has(browserContextId) && path !== undefined
        ? { behavior: 'allowAndName', downloadPath: path, eventsEnabled: true }
        : { behavior: 'deny' }),
    })
  const leave = (contextId: string): void => {
    const left = (allowing.get(contextId) ?? 1) - 1
    if (left > 0) allowing.set(contextId, left)
    else allowing.delete(contextId)
    onAllowed(allowing.size > 0)
    if (left <= 0) setBehavior(contextId).catch(() => undefined)
  }
  return {
    allow: async (contextId) => {
      if (path === undefined)
        return 'Downloads of a browser at an endpoint stay there. Fetch the file in the page, or scrape its URL.'
      allowing.set(contextId, (allowing.get(contextId) ?? 0) + 1)
      contexts.add(contextId)
      onAllowed(true)
      await setBehavior(contextId)
      return () => leave(contextId)
    },
    // The events do not contain the context, so try all of them.
    cancel: async (guid) => {
      const all = [...contexts].map((browserContextId) =>
        connection.send('Browser.cancelDownload', { guid, browserContextId }),
      )
      await Promise.allSettled(all)
    },
  }
}

/**
 * Cancels downloads that exceed the limits. Checks ten times a second, because Chromium reports progress only twice a second.
 */
function makeBound(
  files: Files,
  limits: DownloadLimits,
  path: string | undefined,
  cancel: Downloads['cancel'],
): (guid: string) => void {
  let timer: NodeJS.Timeout | undefined
  const refuse = (guid: string): void => {
    files.set(guid, 'refused')
    cancel(guid).catch(() => undefined)
  }
  const active = (): string[] => [...files].filter(([, state]) => state === 'inProgress').map(([guid]) => guid)
  const check = async (): Promise<void> => {
    if ((await sizeOf(path)) > limits.bytes) for (const guid of active()) refuse(guid)
    timer = undefined
    if (active().length > 0) start()
  }
  const start = (): void => {
    const run = (): void => {
      check().catch(() => undefined)
    }
    timer ??= setTimeout(run, pollInterval).unref()
  }
  return (guid) => {
    files.set(guid, 'inProgress')
    if (files.size > limits.files) refuse(guid)
    else start()
  }
}

const unreadable: Readonly<Record<Exclude<State, 'completed'>, (limits: DownloadLimits) => string>> = {
  inProgress: () => 'The download has not ended. Wait for Browser.downloadProgress with the state "completed".',
  canceled: () => 'The download was canceled.',
  refused: ({ bytes, files }) =>
    `The download was canceled: those of a session have at most ${bytes / 1e6} MB in ${files} files. Close the handles of those that you have read.`,
}

async function readChunk(path: string, offset: number, size: number): Promise<DownloadChunk> {
  // The browser can write to the folder, so refuse links and anything else that is not a plain file.
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
