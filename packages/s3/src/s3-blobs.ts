import { randomUUID } from 'node:crypto'

import { type Blob, type Blobs, type Clock, EngineError } from '@harvestman/ports'

import { sha256, signedHeaders, signedUrl, type Signer } from './sign.ts'

/** Options of `s3Blobs`. */
export interface S3BlobsOptions {
  /** URL of the service: `https://s3.eu-central-1.amazonaws.com`, `http://127.0.0.1:9000`. */
  readonly endpoint: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Session token of temporary credentials. */
  readonly sessionToken?: string | undefined
  readonly region?: string | undefined
  /** Whether callers can reach the endpoint: they then get signed URLs of it, which expire with the file. */
  readonly isPublic?: boolean | undefined
  /** Prefix of all object names. Default: `harvestman/`. */
  readonly prefix?: string | undefined
  /** Maximum size of a file in bytes. Default: 100,000,000. */
  readonly bytes?: number | undefined
  /** Timeout of a request in milliseconds. Default: 30,000. */
  readonly timeout?: number | undefined
  readonly clock?: Pick<Clock, 'now'> | undefined
}

// Random, or derived from the owner of the file.
const uuid = /^[\da-f]{8}-[\da-f]{4}-[48][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const namePart = /^[\w./-]{0,200}$/
const largest = 100_000_000

/**
 * Stores files in a bucket of S3 or a compatible service, with the bucket name in the path. Until it expires, and at most for a
 * week, anybody can open a file by its signed URL. The service does not know the expiry: add a lifecycle rule for the prefix
 * that deletes files older than the longest ttl. Throws `invalid_request` for an invalid endpoint, bucket or prefix. Failures
 * and files that are too large reject with `store_failed`, calls after `close` with `closed`.
 */
export function s3Blobs(options: S3BlobsOptions): Blobs {
  const { bucket, region = 'us-east-1', prefix = 'harvestman/', bytes: most = largest, timeout = 30_000 } = options
  const { clock = { now: () => Date.now() }, accessKeyId, secretAccessKey, sessionToken } = options
  const base = URL.parse(options.endpoint)
  if (!base || !/^https?:$/.test(base.protocol) || !namePart.test(`${bucket}/${prefix}`))
    throw new EngineError(
      'invalid_request',
      'S3 needs an endpoint such as https://s3.example.com, a bucket and a plain prefix.',
    )
  const signer: Signer = { region, accessKeyId, secretAccessKey, sessionToken }
  const urlOf = (id: string): URL => new URL(`${base.pathname.replace(/\/$/, '')}/${bucket}/${prefix}${id}`, base)
  let isClosed = false

  const send = async (method: string, id: string, body?: Uint8Array, headers?: Readonly<Record<string, string>>) => {
    if (isClosed) throw new EngineError('closed', 'The file store was closed.')
    const url = urlOf(id)
    // Copied, so that the signed bytes are sent even if the caller changes the original.
    const copy = body && Buffer.from(body)
    const request = { method, url, bodyHash: sha256(copy ?? ''), now: Date.now(), headers: headers ?? {} }
    try {
      return await fetch(url, {
        method,
        headers: signedHeaders(request, signer),
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
        ...(copy && { body: copy }),
      })
    } catch (cause) {
      throw failed('could not be reached', 'away', cause)
    }
  }

  return {
    lasts: 'shared',
    async put({ id = randomUUID(), bytes, type, team, ttl }) {
      if (bytes.byteLength > most) throw tooLarge(bytes.byteLength, most)
      const answer = await send('PUT', id, bytes, {
        'content-type': type,
        // Headers allow only ASCII characters, and no empty values.
        'x-amz-meta-team': `t${Buffer.from(team).toString('base64url')}`,
        'x-amz-meta-until': String(clock.now() + ttl),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw failed(`answered ${answer.status} when a file was written`, reasonOf(answer.status))
      const url = signedUrl({ url: urlOf(id), now: Date.now() }, ttl / 1000, signer)
      return { id, url, ...(options.isPublic === true && { isPublic: true }) }
    },
    async get(id) {
      const answer = uuid.test(id) || isClosed ? await send('GET', id) : undefined
      if (answer?.ok && clock.now() < Number(answer.headers.get('x-amz-meta-until'))) return fileOf(answer, most)
      await answer?.body?.cancel()
      if (!answer || answer.ok || answer.status === 404) return undefined
      throw failed(`answered ${answer.status} when a file was read`, reasonOf(answer.status))
    },
    async close() {
      isClosed = true
    },
  }
}

async function fileOf(answer: Response, most: number): Promise<Blob> {
  const length = Number(answer.headers.get('content-length') ?? 0)
  if (length > most) {
    await answer.body?.cancel()
    throw tooLarge(length, most)
  }
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for await (const part of answer.body ?? []) {
      size += part.byteLength
      if (size > most) throw tooLarge(size, most)
      parts.push(part)
    }
  } catch (cause) {
    throw EngineError.is(cause) ? cause : failed('broke off', 'away', cause)
  }
  return {
    bytes: new Uint8Array(Buffer.concat(parts)),
    type: answer.headers.get('content-type') ?? 'application/octet-stream',
    team: Buffer.from((answer.headers.get('x-amz-meta-team') ?? '').slice(1), 'base64url').toString(),
  }
}

/** Returns a short reason for health checks. */
function reasonOf(status: number): string {
  if (status === 507) return 'full'
  if (status >= 500 || status === 429) return 'busy'
  return status === 404 ? 'no bucket' : 'refused'
}

function failed(what: string, reason: string, cause?: unknown): EngineError {
  return new EngineError('store_failed', `The file store ${what}. Check its URL, keys and bucket.`, {
    cause,
    details: { reason },
  })
}

function tooLarge(bytes: number, limit: number): EngineError {
  return new EngineError('store_failed', `A file of ${bytes} bytes is larger than the limit of ${limit} bytes.`, {
    details: { reason: 'too large', bytes, limit },
  })
}
