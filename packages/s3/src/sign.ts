import { createHash, createHmac } from 'node:crypto'

/** Credentials and region for a signature. */
export interface Signer {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** A request to sign. */
export interface Unsigned {
  readonly method: string
  /** With the path exactly as it is sent. */
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** SHA-256 of the body in hexadecimal. */
  readonly bodyHash: string
  readonly now: number
}

const algorithm = 'AWS4-HMAC-SHA256'

/** Returns the headers of a request, including its signature (Signature Version 4), without `host`, which `fetch` adds. */
export function signedHeaders(request: Unsigned, signer: Signer): Record<string, string> {
  const { url, bodyHash, now, headers = {} } = request
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': stampOf(now),
    ...(signer.sessionToken !== undefined && { 'x-amz-security-token': signer.sessionToken }),
  }
  const names = Object.keys(all).sort()
  const signature = signatureOf(request, all, names, signer)
  const credential = `${signer.accessKeyId}/${scopeOf(now, signer)}`
  const { host: _, ...sent } = all
  return {
    ...sent,
    authorization: `${algorithm} Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

/** Returns a URL that anybody can read for this many seconds, at least one and at most a week. */
export function signedUrl({ url, now }: Pick<Unsigned, 'url' | 'now'>, seconds: number, signer: Signer): string {
  const signed = new URL(url)
  const query = {
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${signer.accessKeyId}/${scopeOf(now, signer)}`,
    'X-Amz-Date': stampOf(now),
    'X-Amz-Expires': String(Math.min(Math.max(Math.floor(seconds), 1), 604_800)),
    'X-Amz-SignedHeaders': 'host',
    ...(signer.sessionToken !== undefined && { 'X-Amz-Security-Token': signer.sessionToken }),
  }
  for (const [name, value] of Object.entries(query)) signed.searchParams.set(name, value)
  const request = { method: 'GET', url: signed, bodyHash: 'UNSIGNED-PAYLOAD', now }
  signed.searchParams.set('X-Amz-Signature', signatureOf(request, { host: url.host }, ['host'], signer))
  return signed.href
}

/** Returns the SHA-256 digest in hexadecimal digits. A string is hashed as UTF-8. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function signatureOf(
  { method, url, bodyHash, now }: Unsigned,
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
  signer: Signer,
): string {
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n')
  const text = [algorithm, stampOf(now), scopeOf(now, signer), sha256(canonical)].join('\n')
  const keys = [...scopeOf(now, signer).split('/')]
  const key = keys.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${signer.secretAccessKey}`)
  return hmac(key, text).toString('hex')
}

function canonicalQuery({ searchParams }: URL): string {
  const pairs = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return pairs.sort().join('&')
}

// Signature Version 4 leaves fewer characters unencoded than `encodeURIComponent`.
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function scopeOf(now: number, { region }: Signer): string {
  return `${stampOf(now).slice(0, 8)}/${region}/s3/aws4_request`
}

function stampOf(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
