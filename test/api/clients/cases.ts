// What every client of the public API is tried with. The tests run these, and `node test/api/clients/table.ts` prints them.
import type { House } from '../bench.ts'

export interface ClientCase {
  /** The package and its version, as people install it. */
  readonly client: string
  readonly method: string
  /** The server does not offer this, or was not given it, or no server of the API takes the request; the client receives an error. */
  readonly refused?: 'not offered' | 'not configured' | 'invalid request of the client' | undefined
  /** Tries the method, and throws when what it gives is not right. */
  readonly run: (house: House) => Promise<void>
}

export const key = 'fc-key'

/** Fails with both values when the condition does not hold. */
export function must(condition: unknown, found: unknown): asserts condition {
  if (condition) return
  throw new Error(`Not what was expected: ${(JSON.stringify(found) ?? 'undefined').slice(0, 400)}`)
}

/** What a method that the server does not offer must be told. */
export async function notOffered(work: Promise<unknown>): Promise<void> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  const text = JSON.stringify('error' in outcome ? [outcome.error, String(outcome.error)] : outcome.value)
  must(/does not offer this endpoint|NOT_SUPPORTED|501/.test(text), text)
}

export async function until<Value>(ask: () => Promise<Value>, done: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await ask()
    if (done(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
