// Decides whether a request may run. Every entry point of an engine checks here and only here.
import { EngineError, type Observer } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import type { Admission, Admit, Asked, AskedBy, TeamCall } from '../plugin/admission.ts'
import type { Feature } from '../plugin/feature.ts'
import type { Gate, GateKit, OpenGate, RequestNote } from '../plugin/gate.ts'
import { checkCall } from './check-call.ts'
import { combineLimits } from './combine-limits.ts'
import { checkGroupScope } from './scopes.ts'

/** All gates of an engine combined. */
export interface RequestGate {
  /**
   * Rejects with the error of the first gate that refuses, or with `scope_missing` if the scopes of the call do not allow the
   * request.
   */
  readonly admit: Admit
  /** Notifies all gates. The note is built only if a gate listens. */
  note(about: () => RequestNote): void
  /** Returns an observer that also notifies the gates. */
  telling(observer: Observer | undefined): Observer
  /** Throws if the engine was closed, or if the call is invalid. */
  check(call: AskedBy): void
  /** Makes `admit` and `check` fail with this error. */
  close(reason: EngineError): void
}

/**
 * Combines the gates of an engine, which may be opened later. Without gates, only the limits in the call apply. `admit` rejects
 * with the error of the first gate that refuses, with `invalid_request` if the call is invalid, with `scope_missing` if the key
 * may not use the group, and with `not_configured` if the call limits requests per minute and no gate counts them. Gates are
 * not asked about a call that has `admitted`.
 */
export function openGates(gates: readonly OpenGate[]): RequestGate {
  let closed: EngineError | undefined
  const check = (call: AskedBy): void => {
    if (closed) throw closed
    checkCall(call)
  }
  return {
    check,
    admit: async (asked, call) => {
      check(call)
      checkGroupScope(asked.group, call)
      if (call.admitted) return call.admitted
      const grants = await askAll(gates, asked, call)
      return { limits: lowestLimits(call, grants), rate: firstToEnd(grants) }
    },
    note: (about) => {
      const hearing = gates.flatMap(({ noted }) => noted ?? [])
      if (hearing.length === 0) return
      const note = about()
      for (const noted of hearing) noted(note)
    },
    telling: (observer) => (event) => {
      observer?.(event)
      for (const { onEvent } of gates) onEvent?.(event)
    },
    close: (reason) => {
      closed = reason
    },
  }
}

/** Returns the rate limit with the fewest requests left. */
function firstToEnd(grants: readonly Admission[]): Admission['rate'] {
  let first: Admission['rate']
  for (const { rate } of grants) if (rate && (!first || rate.remaining < first.remaining)) first = rate
  return first
}

/**
 * Opens the gates of plugins, once the features of the engine exist. Throws `invalid_request` if a gate asks for a feature that
 * the engine lacks, and `internal` if a gate throws anything but an `EngineError`.
 */
export function openAll(
  gates: readonly Gate[],
  { values }: { readonly values: Readonly<Record<string, unknown>> },
  kit: Omit<GateKit, 'feature'>,
): readonly OpenGate[] {
  return gates.map((gate) => {
    const feature = <Value>({ name }: Feature<string, Value>): Value => {
      if (!Object.hasOwn(values, name)) throw noFeature(gate.name, name)
      // Cast: the value of a feature has its type.
      return values[name] as Value
    }
    try {
      return gate.open({ ...kit, feature })
    } catch (error) {
      if (EngineError.is(error)) throw error
      const message = `The gate ${gate.name} could not be opened: ${errorMessage(error)}`
      throw new EngineError('internal', message, { cause: error })
    }
  })
}

function noFeature(gate: string, feature: string): EngineError {
  return new EngineError(
    'invalid_request',
    `The gate ${gate} needs the feature ${feature}. Add the plugin that has it.`,
  )
}

/** Sequentially, so that a request refused by one gate is not counted by the following ones. */
async function askAll(gates: readonly OpenGate[], asked: Asked, call: AskedBy): Promise<readonly Admission[]> {
  const isCounted = gates.some(({ admit }) => admit !== undefined)
  if (!isCounted && call.limits?.requestsPerMinute) throw countsNothing()
  const grants: Admission[] = []
  for (const gate of gates) if (gate.admit) grants.push(await gate.admit(asked, call))
  return grants
}

function lowestLimits({ limits, ownLimits }: TeamCall, grants: readonly Admission[]): Admission['limits'] {
  const all = [...grants.map((grant) => grant.limits), limits, ownLimits].filter((one) => one !== undefined)
  return all.length > 0 ? all.reduce(combineLimits) : undefined
}

function countsNothing(): EngineError {
  return new EngineError(
    'not_configured',
    'limits.requestsPerMinute needs a plugin with a gate that counts requests. Add one, or leave the limit out.',
  )
}
