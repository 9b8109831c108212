import type { Clock } from '@harvestman/ports'

/** One thing that goes wrong: in which method, at which of its calls, and how. */
export interface Fault {
  /** The name of the method. */
  readonly point: string
  /** The first call is 1. Every so many calls with `every`. */
  readonly nth: number | { readonly every: number }
  readonly kind: FaultKind
}

/**
 * `reject`: fails and does nothing. `reject after`: does it and then fails, as when the answer is lost. `hang`: does
 * nothing and never answers, or until a signal among the arguments is aborted. `twice`: does it two times.
 */
export type FaultKind = 'reject' | 'reject after' | 'hang' | 'twice'

/** How long a call of a store is held up, and which. */
export interface Delay {
  readonly point: string
  readonly nth: number | { readonly every: number }
  readonly ms: number
}

type Call = () => unknown

/** The error that `flaky` makes. */
export class FaultError extends Error {
  readonly point: string
  readonly call: number

  constructor(point: string, call: number) {
    super(`Call ${call} of ${point} failed, as ordered.`)
    this.name = 'FaultError'
    this.point = point
    this.call = call
  }
}

/** The same port, but calls go wrong as the plan says. */
export function flaky<Port extends object>(port: Port, plan: readonly Fault[]): Port {
  mustExist(port, plan)
  return wrap(port, (point, nth, call, signal) => {
    const fault = plan.find((one) => one.point === point && isMeant(one.nth, nth))
    return fault ? failing[fault.kind](new FaultError(point, nth), call, signal) : call()
  })
}

/** The same port, but calls wait first, by the clock given, as the plan says. */
export function slow<Port extends object>(port: Port, plan: readonly Delay[], clock: Clock): Port {
  mustExist(port, plan)
  return wrap(port, async (point, nth, call, signal) => {
    const delay = plan.find((one) => one.point === point && isMeant(one.nth, nth))
    if (delay) await clock.sleep(delay.ms, signal ?? new AbortController().signal)
    return call()
  })
}

type Failing = (error: FaultError, call: Call, signal: AbortSignal | undefined) => Promise<unknown>

const failing: Readonly<Record<FaultKind, Failing>> = {
  async reject(error) {
    throw error
  },
  async 'reject after'(error, call) {
    await call()
    throw error
  },
  hang: (_, __, signal) =>
    new Promise((_resolve, reject) => {
      const stop = () => reject(signal?.reason)
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop, { once: true })
    }),
  async twice(_, call) {
    await call()
    return call()
  },
}

function isMeant(nth: Fault['nth'], count: number): boolean {
  return typeof nth === 'number' ? nth === count : count % nth.every === 0
}

// A plan for a method that is not there would never be carried out, and the test that made it would prove nothing.
function mustExist(port: object, plan: readonly { readonly point: string }[]): void {
  for (const { point } of plan)
    if (typeof Reflect.get(port, point) !== 'function') throw new Error(`The port has no method "${point}".`)
}

type Around = (point: string, nth: number, call: Call, signal: AbortSignal | undefined) => unknown

function wrap<Port extends object>(port: Port, around: Around): Port {
  const counts = new Map<string, number>()
  const wrapMethod =
    (point: string, method: (...given: readonly unknown[]) => unknown) =>
    (...given: readonly unknown[]) => {
      const nth = (counts.get(point) ?? 0) + 1
      counts.set(point, nth)
      const signal = given.find((one) => one instanceof AbortSignal)
      return around(point, nth, () => method.apply(port, [...given]), signal)
    }
  const wrapped = new Map<string, unknown>()
  return new Proxy(port, {
    get(_, name) {
      const value: unknown = Reflect.get(port, name)
      if (typeof value !== 'function' || typeof name !== 'string') return value
      // Cast: a method of any port, called as it was.
      if (!wrapped.has(name)) wrapped.set(name, wrapMethod(name, value as never))
      return wrapped.get(name)
    },
  })
}
