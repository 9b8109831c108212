import { EngineError, type WireRequest, type WireResponse } from '@harvestman/ports'
import { ownWhole } from '@harvestman/ports/values'
import { gatherBody, tooLarge, type Body, type BodyOptions } from './body.ts'

/** Starts an exchange and passes its events to the receiver. The result pauses and resumes the sender. */
export type AnswerSource = (receiver: Receiver) => { readonly pause: () => void; readonly resume: () => void }

/** Receives the events of a response. */
export interface Receiver {
  /** The first byte has arrived. */
  begin(): void
  /** `isUnpacked`: the body comes decompressed, whatever its encoding. */
  head(status: number, headers: WireResponse['headers'], isUnpacked?: boolean): void
  data(chunk: Uint8Array): void
  end(): void
  fail(error: EngineError): void
}

export interface Failed {
  readonly error: EngineError
  /** Whether any byte of the response had arrived. */
  readonly hasBegun: boolean
}

/** A response, or why there is none. */
export type WireAnswer = WireResponse | Failed

/** Callbacks for the fate of the connection. Exactly one of them is called. */
export interface LineEnd {
  complete(): void
  cut(reason: Error): void
}

const maxHeaders = 1_000
// The body of a redirect is not used. It is read, up to this many bytes, only so that the connection can be reused.
const redirectBytes = 65_536
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Reads a response within its limits. Rejects only with the signal's reason, as soon as it is aborted; other failures are part
 * of the result.
 */
export function readAnswer(
  source: AnswerSource,
  request: WireRequest,
  signal: AbortSignal,
  line: LineEnd,
): Promise<WireAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>()
  let hasBegun = false
  let gathering: Gathering | undefined
  let control: ReturnType<AnswerSource> | undefined

  const freeLine = once((cutBy?: Error) => (cutBy ? line.cut(cutBy) : line.complete()))
  const settle = once((give: () => void) => {
    signal.removeEventListener('abort', stop)
    gathering?.body.stop()
    give()
  })
  const fail = (error: EngineError): void => {
    settle(() => resolve({ error, hasBegun }))
    freeLine(error)
  }
  const stop = (): void => {
    settle(() => reject(signal.reason))
    freeLine(new Error('the exchange was aborted', { cause: signal.reason }))
  }
  const flow = { pause: () => control?.pause(), resume: () => control?.resume() }

  signal.addEventListener('abort', stop, { once: true })
  control = source({
    begin: () => {
      hasBegun = true
    },
    head: (status, headers, isUnpacked) => {
      const done = (result: Uint8Array | EngineError): void =>
        EngineError.is(result)
          ? fail(result)
          : settle(() => resolve({ status, headers, body: ownWhole(result) ?? result, ...gathering?.end }))
      try {
        gathering = startGathering({ status, headers }, request, { ...flow, done, isUnpacked })
      } catch (error) {
        fail(error as EngineError)
      }
    },
    data: (chunk) => {
      gathering?.body.push(chunk)
      if (!gathering || (gathering.most -= chunk.length) >= 0) return
      freeLine(new Error('the rest of a redirect is not read'))
      gathering.body.end()
    },
    end: () => {
      freeLine()
      gathering?.body.end()
    },
    fail,
  })
  return promise
}

interface Gathering {
  readonly body: Body
  /** Number of bytes still accepted. */
  most: number
  /** Whether the body ended early. */
  readonly end: { isTruncated?: boolean }
}

function startGathering(
  { status, headers }: Omit<WireResponse, 'body'>,
  { method, maxBytes, take }: WireRequest,
  {
    isUnpacked,
    ...flow
  }: Pick<BodyOptions, 'pause' | 'resume' | 'done'> & { readonly isUnpacked?: boolean | undefined },
): Gathering {
  if (headers.length > maxHeaders) throw tooManyHeaders()
  const isRedirect = redirects.has(status) && valueOf(headers, 'location') !== undefined
  const announced = method === 'HEAD' || isRedirect ? 0 : Number(valueOf(headers, 'content-length') ?? 0)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  const encoding = method === 'HEAD' || isUnpacked ? undefined : valueOf(headers, 'content-encoding')
  const end: Gathering['end'] = {}
  const onTruncated = (): void => {
    end.isTruncated = true
  }
  const taken = isRedirect ? undefined : take?.({ status, headers })
  const body = gatherBody({ ...flow, encoding, maxBytes, take: taken, onTruncated })
  return { body, most: isRedirect ? redirectBytes : Infinity, end }
}

function once<T extends unknown[]>(act: (...given: T) => void): (...given: T) => void {
  let isDone = false
  return (...given) => {
    if (isDone) return
    isDone = true
    act(...given)
  }
}

function valueOf(headers: WireResponse['headers'], name: string): string | undefined {
  const values = headers.filter(([header]) => header === name).map(([, value]) => value)
  return values.length > 0 ? values.join(', ') : undefined
}

function tooManyHeaders(): EngineError {
  return new EngineError(
    'response_too_large',
    `The response has more than ${maxHeaders} headers, which is the limit. Try another URL of the host.`,
  )
}
