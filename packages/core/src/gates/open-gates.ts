// The decision whether a request may be done. Every door of an engine asks here, and nowhere else.
import { EngineError, type Observer } from '@harvestman/ports'
import type { Admission, Admit, Asked, AskedBy, TeamCall } from '../plugin/admission.ts'
import type { Feature } from '../plugin/feature.ts'
import type { Gate, GateKit, OpenGate, RequestNote } from '../plugin/gate.ts'
import { narrower } from './narrower.ts'
import { checkGroupScope } from './scopes.ts'

/** The gate of each request: all gates of the engine as one. */
export interface RequestGate {
  /** Rejects with what the first gate says that refuses; with `scope_missing` when the scopes in the call do. */
  readonly admit: Admit
  /** Tells all gates. Nothing of a request is worked out that none of them hears of. */
  note(about: () => RequestNote): void
  /** An observer that tells the gates as well. */
  telling(observer: Observer | undefined): Observer
}

/** Joins the gates of an engine, which may be opened later. Without any, a call alone says what it may use. */
export function openGates(gates: readonly OpenGate[]): RequestGate {
  return {
    admit: async (asked, call) => {
      checkGroupScope(asked.group, call)
      if (call.admitted) return call.admitted
      const grants = await askAll(gates, asked, call)
      return { limits: leastOf(call, grants), rate: firstToEnd(grants) }
    },
    note: (about) => {
      const hearing = gates.flatMap(({ noted }) => noted ?? [])
      if (hearing.length === 0) return
      const note = about()
      for (const noted of hearing) noted(note)
    },
    telling: (observer) => (event) => {
      observer?.(event)
      for (const { told } of gates) told?.(event)
    },
  }
}

/** The rate of which the least is left. */
function firstToEnd(grants: readonly Admission[]): Admission['rate'] {
  let first: Admission['rate']
  for (const { rate } of grants) if (rate && (!first || rate.remaining < first.remaining)) first = rate
  return first
}

/** Opens the gates that plugins bring, when the features of the engine are there. */
export function openAll(
  gates: readonly Gate[],
  { values }: { readonly values: Readonly<Record<string, unknown>> },
  kit: Omit<GateKit, 'feature'>,
): readonly OpenGate[] {
  return gates.map((gate) => {
    const feature = <Value>({ name }: Feature<string, Value>): Value => {
      if (!Object.hasOwn(values, name)) throw noFeature(gate.name, name)
      // Cast: what a feature has made is of its type.
      return values[name] as Value
    }
    return gate.open({ ...kit, feature })
  })
}

function noFeature(gate: string, feature: string): EngineError {
  return new EngineError(
    'invalid_request',
    `The gate ${gate} needs the feature ${feature}. Add the plugin that has it.`,
  )
}

/** One after the other, so that what one refuses is not counted by those behind it. */
async function askAll(gates: readonly OpenGate[], asked: Asked, call: AskedBy): Promise<readonly Admission[]> {
  const isCounted = gates.some(({ admit }) => admit !== undefined)
  if (!isCounted && call.limits?.requestsPerMinute) throw countsNothing()
  const grants: Admission[] = []
  for (const gate of gates) if (gate.admit) grants.push(await gate.admit(asked, call))
  return grants
}

function leastOf({ limits, ownLimits }: TeamCall, grants: readonly Admission[]): Admission['limits'] {
  const all = [...grants.map((grant) => grant.limits), limits, ownLimits].filter((one) => one !== undefined)
  return all.length > 0 ? all.reduce(narrower) : undefined
}

function countsNothing(): EngineError {
  return new EngineError(
    'not_configured',
    'limits.requestsPerMinute needs a plugin with a gate that counts requests. Add one, or leave the limit out.',
  )
}
