/** The web API in this process: nothing listens for it. */
export interface OpenedApi {
  /** Answers a request of the web API. */
  readonly ask: (request: Request) => Promise<Response>
  close(): Promise<void>
}
