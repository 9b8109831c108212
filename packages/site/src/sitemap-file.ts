import { EngineError } from '@harvestman/ports'
import { gatherBody, type Body } from '@harvestman/net'
import { isAboutCaller, streamBody, type Route, type StreamKit } from './stream.ts'
import type { SitemapEntry } from './sitemap-entry.ts'
import { scanSitemap } from './sitemap-scan.ts'

export interface FileRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The proxies through which the file is loaded. */
  readonly route?: Route | undefined
  readonly languages: readonly string[] | undefined
  readonly bounds: FileBounds
  readonly owner: string
}

export interface FileBounds {
  /** Maximum number of entries of one file. */
  readonly entries: number
  /** Maximum size of one file in bytes, both compressed and decompressed. */
  readonly bytes: number
  /** Maximum time for one file in milliseconds. */
  readonly timeout: number
}

/**
 * `absent`: there is no file. `broken`: it could not be read. `partial`: it could be read only in part. `cut`: it has more
 * entries than the limit.
 */
export type FileEnd = 'whole' | 'absent' | 'broken' | 'partial' | 'cut' | 'blocked'

const batchSize = 1_000
const redirects = 5

type GiveBatch = (batch: readonly SitemapEntry[]) => Promise<void> | undefined

/**
 * Reads one sitemap, compressed or not, and passes its entries on in batches; the consumer may pause it by returning a promise.
 * Resolves to how far it was read, such as `absent` or `partial`; rejects only when aborted or with errors about the caller.
 */
export async function readSitemapFile(
  { url, headers, languages, bounds, owner, route }: FileRequest,
  give: GiveBatch,
  signal: AbortSignal,
  doors: StreamKit,
): Promise<FileEnd> {
  let batch: SitemapEntry[] = []
  let taken = 0
  const scan = scanSitemap({
    // One more than the limit, to detect longer files.
    most: bounds.entries + 1,
    entry: (entry) => {
      taken += 1
      if (taken <= bounds.entries) batch.push(entry)
    },
  })
  const flush = (least: number): Promise<void> | undefined => {
    if (batch.length < least) return undefined
    const full = batch
    batch = []
    return give(full)
  }
  const reading = unpackedOrNot(bounds.bytes, (piece) => (scan.feed(piece) ? flush(batchSize) : 'enough'))
  let end: FileEnd
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(bounds.timeout)])
    const request = { url, redirects, maxBytes: bounds.bytes, headers, languages, owner, route }
    const { status, isTruncated } = await streamBody(doors, request, reading.take, limit)
    end = status < 300 ? 'whole' : status === 429 || status >= 500 ? 'broken' : 'absent'
    const unpacked = await reading.end()
    if (unpacked === 'damaged') end = 'broken'
    else if (end === 'whole' && (isTruncated || unpacked === 'truncated')) end = 'partial'
  } catch (error) {
    signal.throwIfAborted()
    if (EngineError.is(error) && isAboutCaller(error)) throw error
    end = EngineError.is(error) && isBlocked(error) ? 'blocked' : 'broken'
  }
  reading.stop()
  if (!scan.end() && end === 'whole' && taken <= bounds.entries) end = 'partial'
  // Entries of a broken file are valid.
  await flush(1)
  if (end === 'broken' && taken > 0) return 'partial'
  return end === 'whole' && taken > bounds.entries ? 'cut' : end
}

function isBlocked({ code }: EngineError): boolean {
  return code === 'url_blocked' || code === 'unsafe_domain_blocked'
}

type Take = (piece: Uint8Array) => Promise<void> | 'enough' | undefined

type Unpacked = 'whole' | 'truncated' | 'damaged'

interface Unpacking {
  readonly take: Take
  end(): Promise<Unpacked>
  stop(): void
}

/** Decompresses gzip files, which are detected by content, not by name. */
function unpackedOrNot(maxBytes: number, take: Take): Unpacking {
  let packed: Body | undefined
  let isEnough = false
  let hasBegun = false
  let isTruncated = false
  let held: PromiseWithResolvers<void> | undefined
  const { promise: ended, resolve: done } = Promise.withResolvers<Unpacked>()
  const release = (): void => {
    held?.resolve()
    held = undefined
  }
  const takeUnpacked = (piece: Uint8Array): Promise<void> | undefined => {
    const wait = isEnough ? 'enough' : take(piece)
    if (wait !== 'enough') return wait
    isEnough = true
    return undefined
  }
  const unpack = (): Body =>
    gatherBody({
      encoding: 'gzip',
      maxBytes,
      pause: () => {
        held ??= Promise.withResolvers<void>()
      },
      resume: release,
      take: takeUnpacked,
      onTruncated: () => {
        isTruncated = true
      },
      done: (result) => {
        isEnough = true
        release()
        done(EngineError.is(result) ? 'damaged' : isTruncated ? 'truncated' : 'whole')
      },
    })
  return {
    take: (piece) => {
      if (!hasBegun && piece.length > 0) {
        hasBegun = true
        if (piece[0] === 0x1f && (piece[1] ?? 0x8b) === 0x8b) packed = unpack()
      }
      if (!packed) return take(piece)
      if (isEnough) return 'enough'
      packed.push(piece)
      return held?.promise
    },
    end: () => {
      if (!packed) return Promise.resolve('whole')
      if (isEnough) return Promise.race([ended, Promise.resolve('whole' as const)])
      packed.end()
      return ended
    },
    stop: () => packed?.stop(),
  }
}
