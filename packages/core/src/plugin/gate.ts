// Gates: parts of plugins that admit or refuse requests, before any work is done for them.
import type { Clock, Observer, Store } from '@harvestman/ports'
import type { Admit } from './admission.ts'
import type { Feature } from './feature.ts'

/** Admits or refuses requests, and is notified of each. Created by `defineGate`. */
export interface Gate {
  readonly name: string
  /** Runs once when the engine is created, after its features. The result is used for the engine's lifetime. */
  open(kit: GateKit): OpenGate
}

/** Functions of a gate in one engine. */
export interface OpenGate {
  /** Admits a request by resolving to its limits, or refuses it by rejecting. A request must be admitted by all gates. */
  readonly admit?: Admit | undefined
  /** Called when the work of a request has started, or when it was refused. Not awaited. Must not throw. */
  readonly noted?: ((note: RequestNote) => void) | undefined
  /** Receives the events of the engine's observer, such as the end of a request and its price. Must not throw. */
  readonly onEvent?: Observer | undefined
}

/** Dependencies of a gate. */
export interface GateKit {
  /** The engine's store. Prefix keys with the name of the gate. */
  readonly store: Store
  readonly clock: Clock
  /** Team of requests that do not specify one. */
  readonly team: string
  /** Returns the value of a feature, the same as `engine.<name>`. Throws if no plugin of the engine has the feature. */
  feature<Value>(feature: Feature<string, Value>): Value
  /** Sends a warning to the host application. */
  warn(message: string): void
}

/** A request whose work has started, or that was refused. Requests with `zeroDataRetention` are not reported. */
export interface RequestNote {
  /** Id of the scrape or job. For a refused request, nothing has this id. */
  readonly id: string
  readonly team: string
  /** A part of the engine, or a kind of job of a plugin. */
  readonly endpoint: string
  /** The URL or the query, without passwords. */
  readonly target?: string
  /** Version of the API, if the request came over HTTP. */
  readonly apiVersion?: string
  /** Id of the API key, if any. */
  readonly key?: string
  /** Error code, if the request was refused. */
  readonly refused?: string
}
