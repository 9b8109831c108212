// Requests with a direct result: a page, a file, a list of URLs, search results.
import { blobOf, type UploadedFile } from './files.ts'
import { schemaAsJson, type Http } from './http.ts'
import type { WaitOptions } from './job.ts'
import type { MapAnswer, ParseRequest, ScrapeRequest, SearchAnswer, SearchRequest } from './requests.ts'
import type { Document, MapRequest } from './types.ts'

const defaultTimeout = 30_000
const defaultPersonTimeout = 3_600
const searchTimeout = 60_000
const moreThanTimeout = 5_000

/** Methods for pages and files, with untyped documents. The caller's types determine the fields of the documents. */
export interface PlainPages {
  scrape(request: ScrapeRequest, options?: WaitOptions): Promise<Document>
  readonly parse: Parse
  map(request: MapRequest, options?: WaitOptions): Promise<MapAnswer>
  search(request: SearchRequest, options?: WaitOptions): Promise<SearchAnswer>
}

/**
 * Creates the methods for pages and files. Each rejects with a `HarvestmanError` if the request fails, or 5 seconds after the
 * request's own `timeout` (default: 30 s, `search` 60 s, `map` the timeout of the client).
 */
export function makePages(http: Http): PlainPages {
  const scrape = async (request: ScrapeRequest, { signal }: WaitOptions = {}): Promise<Document> => {
    const wait = request.person ? (request.person.timeout ?? defaultPersonTimeout) * 1_000 : 0
    const timeout = wait + (request.timeout ?? defaultTimeout) + moreThanTimeout
    const ask = { method: 'POST', path: '/v2/scrape', body: request, signal, timeout, isRepeatable: false } as const
    return (await http.ask<{ readonly data: Document }>(ask)).data
  }
  const parse: Parse = async (file, request = {}, { signal } = {}) => {
    const timeout = (request.timeout ?? defaultTimeout) + moreThanTimeout
    const sent = 'uploadRef' in file ? { body: { ...request, uploadRef: file.uploadRef } } : formOf(file, request)
    const ask = { method: 'POST', path: '/v2/parse', ...sent, signal, timeout, isRepeatable: false } as const
    return (await http.ask<{ readonly data: Document }>(ask)).data
  }
  const search = async (request: SearchRequest, { signal }: WaitOptions = {}): Promise<SearchAnswer> => {
    const timeout = (request.timeout ?? searchTimeout) + moreThanTimeout
    const ask = { method: 'POST', path: '/v2/search', body: request, signal, timeout, isRepeatable: false } as const
    const { data, ...rest } = await http.ask<SearchAnswer & { readonly data: SearchAnswer }>(ask)
    return { ...rest, ...data }
  }
  return {
    search,
    scrape,
    parse,
    map: (request, { signal } = {}) => {
      const timeout = request.timeout === undefined ? undefined : request.timeout + moreThanTimeout
      return http.ask({ method: 'POST', path: '/v2/map', body: request, signal, timeout, isRepeatable: false })
    },
  }
}

type Parse = (
  file: Blob | Uint8Array | Pick<UploadedFile, 'uploadRef'>,
  request?: ParseRequest,
  options?: WaitOptions,
) => Promise<Document>

/** Returns a form with the file and its options. */
function formOf(file: Blob | Uint8Array, { name = 'file', contentType, ...options }: ParseRequest) {
  const form = new FormData()
  form.append('options', JSON.stringify(options, schemaAsJson))
  form.append('file', blobOf(file, contentType), name)
  return { form }
}
