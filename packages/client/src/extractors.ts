// Learned extractors on the server: programs that read the values of a schema from the pages of a template.
import type { Ask, Http } from './http.ts'
import type { WaitOptions } from './job.ts'

/** A program as it was after a change. */
export interface ExtractorVersion {
  /** Counts the changes. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
  /** The program: data, with the alternatives that find each field. */
  readonly program: Readonly<Record<string, unknown>>
}

/** A learned extractor. */
export interface Extractor extends ExtractorVersion {
  readonly id: string
  readonly host: string
}

/** The extractors of your team. */
export interface Extractors {
  list(options?: WaitOptions): Promise<readonly Extractor[]>
  get(id: string, options?: WaitOptions): Promise<Extractor>
  /** Puts a program in the place of the one it has. */
  edit(id: string, program: ExtractorVersion['program'], options?: WaitOptions): Promise<Extractor>
  delete(id: string, options?: WaitOptions): Promise<void>
  /** Its last versions, the newest first. */
  versions(id: string, options?: WaitOptions): Promise<readonly ExtractorVersion[]>
}

/** Makes the methods about extractors. */
export function makeExtractors(http: Http): Extractors {
  const whole = <Answer>(method: Ask['method'], path: string, { signal }: WaitOptions = {}, body?: object) =>
    http.ask<Answer>({ ...{ method, path: `/v2/extractors${path}`, signal, body }, isRepeatable: method === 'GET' })
  const ask = async <Data>(...asked: Parameters<typeof whole>): Promise<Data> =>
    (await whole<{ readonly data: Data }>(...asked)).data
  return {
    list: (options) => ask('GET', '', options),
    get: (id, options) => ask('GET', at(id), options),
    edit: (id, program, options) => ask('PATCH', at(id), options, { program }),
    delete: async (id, options) => void (await whole('DELETE', at(id), options)),
    versions: (id, options) => ask('GET', `${at(id)}/versions`, options),
  }
}

const at = (id: string): string => `/${encodeURIComponent(id)}`
