// Records on the server: what requests with `record: true` had from outside.
import type { Http } from './http.ts'
import type { WaitOptions } from './job.ts'

/** The records of your team. */
export interface Records {
  /** The record of a request, map, search, job or live browser by its id: a `.warc.gz`, whose body is sent as it is read. */
  get(id: string, options?: WaitOptions): Promise<Response>
  /** Deletes a record. Repeating it has no effect. */
  delete(id: string, options?: WaitOptions): Promise<void>
}

const anHour = 3_600_000

/** Makes the methods about records. */
export function makeRecords(http: Http): Records {
  const at = (id: string, { signal }: WaitOptions = {}) => ({
    ...{ path: `/v2/records/${encodeURIComponent(id)}`, signal, isRepeatable: true },
  })
  return {
    get: (id, options) => http.open({ ...at(id, options), method: 'GET', timeout: anHour }),
    delete: async (id, options) => void (await http.ask({ ...at(id, options), method: 'DELETE' })),
  }
}
