/** The HTTP API within this process, without a port. */
export interface OpenedApi {
  /** Handles a request to the HTTP API. */
  readonly ask: (request: Request) => Promise<Response>
  close(): Promise<void>
}
