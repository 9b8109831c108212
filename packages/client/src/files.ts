// Files: downloads from the server, and uploads for `parse`.
import { HarvestmanError } from './error.ts'
import { readBody, type Http } from './http.ts'
import type { WaitOptions } from './job.ts'

/** Metadata of an uploaded file. */
export interface UploadOptions extends WaitOptions {
  readonly name?: string | undefined
  readonly contentType?: string | undefined
}

/** A file on the server that waits for `parse`, which consumes it. */
export interface UploadedFile {
  readonly uploadRef: string
  readonly expiresAt: string
}

interface Place extends UploadedFile {
  readonly uploadUrl: string
}

/** A type of files, as the server lists it. */
export interface ParseFormat {
  readonly format: string
  readonly kind: 'document' | 'image'
  /** With a dot, such as `.pdf`. */
  readonly extensions: readonly string[]
  readonly mimeTypes: readonly string[]
  /** False for files that the server refuses. */
  readonly available: boolean
}

/**
 * Lists the file formats that the server can parse, and those that it refuses, with `available: false`. Rejects with a
 * `HarvestmanError` if the request fails.
 */
export async function listParseFormats(http: Http, { signal }: WaitOptions = {}): Promise<readonly ParseFormat[]> {
  const ask = { method: 'GET', path: '/v2/parse/formats', signal, isRepeatable: true } as const
  return (await http.ask<{ readonly data: { readonly formats: readonly ParseFormat[] } }>(ask)).data.formats
}

/**
 * Uploads a file, to be parsed later. Without a name it is called `file`. Rejects with a `HarvestmanError` if the server
 * refuses it, such as a file that is too large.
 */
export async function uploadFile(
  http: Http,
  file: Blob | Uint8Array,
  { name = 'file', contentType, signal }: UploadOptions = {},
): Promise<UploadedFile> {
  const blob = blobOf(file, contentType)
  const metadata = { filename: name, ...(blob.type !== '' && { contentType: blob.type }), declaredSizeBytes: blob.size }
  const request = { method: 'POST', path: '/v2/parse/upload-url', body: metadata, signal, isRepeatable: true } as const
  const { uploadUrl, uploadRef, expiresAt } = await http.ask<Place>(request)
  // Only the upload id is used, so that no response can redirect the file to another host.
  const path = `/v2/parse/upload/${lastPart(uploadUrl)}`
  await http.ask({ method: 'PUT', path, bytes: blob, signal, isRepeatable: true })
  return { uploadRef, expiresAt }
}

/**
 * Downloads a screenshot or a PDF, by its URL in a document or by its id. Only the last part of a URL is used, so the request
 * always goes to the configured server. Rejects with the signal's reason, or with a `HarvestmanError` if the file does not exist,
 * has expired or cannot be read to its end, and with `BAD_REQUEST` if `address` has no id.
 */
export async function downloadFile(http: Http, address: string, { signal }: WaitOptions = {}): Promise<Blob> {
  const path = `/v2/files/${lastPart(address)}`
  const response = await http.open({ method: 'GET', path, signal, isRepeatable: true })
  const message = 'The file could not be read to its end, because the connection broke. Try again.'
  return readBody(response.blob(), signal, { message, status: response.status, code: 'NETWORK' })
}

/** Returns the file as a Blob with its media type. Without `contentType` the type is that of the Blob, or empty. */
export function blobOf(file: Blob | Uint8Array, contentType: string | undefined): Blob {
  const type = contentType ?? (file instanceof Blob ? file.type : '')
  return new Blob([file instanceof Blob ? file : new Uint8Array(file)], { type })
}

function lastPart(address: string): string {
  const [, part] = /(?:^|\/)([\w-]+)(?:[?#]|$)/.exec(address) ?? []
  if (part === undefined)
    throw new HarvestmanError('This is not the URL of a file. Pass the URL of a screenshot or PDF, or its id.', {
      code: 'BAD_REQUEST',
    })
  return part
}
