import type { KeyScopes, TeamLimits } from '@harvestman/core'
import { EngineError } from '@harvestman/ports'

interface Limited {
  readonly limits?: TeamLimits | undefined
}

interface Scoped extends Limited {
  readonly scopes?: KeyScopes | undefined
}

/** Rejects unknown endpoint groups, since a misspelled group would limit nothing. */
export interface Rights {
  team<Input extends Limited>(input: Input): Input
  key<Input extends Scoped>(input: Input): Input
}

/**
 * Returns checks of the endpoint groups that a team or key names. They return the input, or throw `invalid_request`
 * for an unknown group.
 */
export function checkGroups(known: readonly string[]): Rights {
  const refuse = (field: string, names: readonly string[], there: readonly string[]): void => {
    const unknown = names.find((name) => !there.includes(name))
    if (unknown === undefined) return
    const message = `${field}: there is no group of endpoints named ${unknown}. There are ${there.join(', ')}.`
    throw new EngineError('invalid_request', message)
  }
  const team: Rights['team'] = (input) => {
    const { requestsPerMinute = {} } = input.limits ?? {}
    refuse('limits.requestsPerMinute', Object.keys(requestsPerMinute), [...known, 'status'])
    return input
  }
  return {
    team,
    key: (input) => {
      refuse('scopes.groups', input.scopes?.groups ?? [], known)
      return team(input)
    },
  }
}
