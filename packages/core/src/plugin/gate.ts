// Gates: parts of plugins that let requests in. A gate is asked before anything of a request is done.
import type { Clock, Observer, Store } from '@harvestman/ports'
import type { Admit } from './admission.ts'
import type { Feature } from './feature.ts'

/** Lets requests in or refuses them, and hears of each. Made by `defineGate`. */
export interface Gate {
  readonly name: string
  /** Runs once, when the engine is made and after its features: what it gives is asked as long as the engine lives. */
  open(kit: GateKit): OpenGate
}

/** An open gate: the functions of a gate in one engine. */
export interface OpenGate {
  /** Lets a request in by resolving to what it may use, or refuses it by rejecting. All gates of an engine must let it in. */
  readonly admit?: Admit | undefined
  /** Hears of a request: its work has begun, or it was refused before. Nothing waits for it, and it must not throw. */
  readonly noted?: ((note: RequestNote) => void) | undefined
  /** Hears what the observer of the engine is told, such as the end of a request and its price. It must not throw. */
  readonly told?: Observer | undefined
}

/** Kit of a gate. */
export interface GateKit {
  /** The store of the engine: the keys of a gate begin with a name of its own. */
  readonly store: Store
  readonly clock: Clock
  /** The team of work that names none. */
  readonly team: string
  /** Returns the value of a feature of the engine, the same as `engine.<name>`. Throws when no plugin brings it. */
  feature<Value>(feature: Feature<string, Value>): Value
  /** Tells the host of the engine. */
  warn(message: string): void
}

/** A request whose work has begun, or that was refused before. One with `zeroDataRetention` is not told of. */
export interface RequestNote {
  /** Finds the work again: a scrape, a job. Of what was refused, it leads to nothing. */
  readonly id: string
  readonly team: string
  /** A part of the engine, or a kind of job that a plugin brings. */
  readonly endpoint: string
  /** The address or the query, without passwords. */
  readonly target?: string
  /** The version of the API that was used, when one was. */
  readonly apiVersion?: string
  /** The key that was used. */
  readonly key?: string
  /** The code of the error with which it was refused. */
  readonly refused?: string
}
