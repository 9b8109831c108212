import type { Debugger, Session } from 'node:inspector'

/** Activity of the main thread. */
export type MainStack =
  | { readonly kind: 'stack'; readonly lines: readonly string[] }
  /** No JavaScript ran in time: the thread is inside a native call, or Node was built without an inspector. */
  | { readonly kind: 'native' }
  /** A debugger has paused the thread. */
  | { readonly kind: 'debugged' }

const maxLines = 30

/**
 * Interrupts the main thread, reads its stack and lets it continue. Call it from a worker thread. Never rejects: the result is
 * `native` if there is no stack within `timeout` milliseconds, and `debugged` if a debugger has paused the thread.
 */
export async function readMainStack(timeout: number): Promise<MainStack> {
  const inspector = await import('node:inspector').catch(() => undefined)
  if (inspector === undefined) return { kind: 'native' }
  const session = new inspector.Session()
  try {
    session.connectToMainThread()
    return await pause(session, timeout)
  } catch {
    return { kind: 'native' }
  } finally {
    session.disconnect()
  }
}

function pause(session: Session, timeout: number): Promise<MainStack> {
  const { promise, resolve } = Promise.withResolvers<MainStack>()
  const timer = setTimeout(() => resolve({ kind: 'native' }), timeout)
  const files = new Map<string, string>()
  let hasRequested = false
  session.on('Debugger.scriptParsed', ({ params }) => void files.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }) => {
    if (!hasRequested) return resolve({ kind: 'debugged' })
    const lines = params.callFrames.slice(0, maxLines).map((frame) => lineOf(frame, files))
    session.post('Debugger.resume', () => resolve({ kind: 'stack', lines }))
  })
  // A thread that is already paused reports that before this call returns.
  session.post('Debugger.enable', () => {
    hasRequested = true
    session.post('Debugger.pause')
  })
  return promise.finally(() => clearTimeout(timer))
}

function lineOf({ functionName, location }: Debugger.CallFrame, files: ReadonlyMap<string, string>): string {
  const { scriptId, lineNumber, columnNumber = 0 } = location
  const file = files.get(scriptId) || '<anonymous>'
  return `at ${functionName || '<anonymous>'} (${file}:${lineNumber + 1}:${columnNumber + 1})`
}
