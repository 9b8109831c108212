import { EngineError } from '../errors/error.ts'

/** One budget of time for all the work of a request, as one signal. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Must be called when the work is over. */
  end(): void
}

/** Starts the budget. The signal is aborted with a typed error: when the time is up, or when the caller cancels. */
export function startDeadline(timeout: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const cancel = (): void => controller.abort(cancelled(caller?.reason))
  const timer = setTimeout(() => controller.abort(timedOut(timeout)), timeout)
  if (caller?.aborted) cancel()
  caller?.addEventListener('abort', cancel, { once: true })
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', cancel)
    },
  }
}

function timedOut(timeout: number): EngineError {
  return new EngineError('timeout', `The page did not answer within ${timeout} ms. Raise timeout, or try again later.`)
}

function cancelled(reason: unknown): EngineError {
  if (EngineError.is(reason)) return reason
  return new EngineError('aborted', 'The caller cancelled the request.', { cause: reason })
}
