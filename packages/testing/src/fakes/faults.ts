import type { Clock } from '@harvestman/ports'

/** A simulated failure: in which method, at which call, and how. */
export interface Fault {
  /** The name of the method. */
  readonly point: string
  /** The first call is 1. With `every`, each Nth call. */
  readonly nth: number | { readonly every: number }
  readonly kind: FaultKind
}

/**
 * `reject`: fails without an effect. `reject after`: has its effect and then fails, as if the response was lost. `hang`: has no
 * effect and never settles, or rejects when a signal among the arguments is aborted. `twice`: runs twice.
 */
export type FaultKind = 'reject' | 'reject after' | 'hang' | 'twice'

/** A simulated delay of a call. */
export interface Delay {
  readonly point: string
  readonly nth: number | { readonly every: number }
  readonly ms: number
}

type Call = () => unknown

/** The error that `flaky` throws. */
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

/**
 * Returns the same port with failures according to the plan, which are `FaultError`s. Throws if the port has no method that the
 * plan names.
 */
export function flaky<Port extends object>(port: Port, plan: readonly Fault[]): Port {
  mustExist(port, plan)
  return wrap(port, (point, nth, call, signal) => {
    const fault = plan.find((one) => one.point === point && isMeant(one.nth, nth))
    return fault ? failing[fault.kind](new FaultError(point, nth), call, signal) : call()
  })
}

/**
 * Returns the same port with delays in milliseconds according to the plan, measured by the given clock. Throws if the port has no
 * method that the plan names.
 */
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

// A plan for a missing method would never take effect, and its test would prove nothing.
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
      // Cast: a method of any port, called with its own arguments.
      if (!wrapped.has(name)) wrapped.set(name, wrapMethod(name, value as never))
      return wrapped.get(name)
    },
  })
}
