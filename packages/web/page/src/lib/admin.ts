import { call } from './api.ts'

export interface Team {
  readonly id: string
  readonly name?: string
}

/** Keys of a team that stand in the configuration of the server, where alone they can be changed. */
export interface ConfiguredKeys {
  readonly team: string
  readonly keys: number
}

export interface TeamList {
  readonly teams: readonly Team[]
  readonly configured: readonly ConfiguredKeys[]
}

export interface Key {
  readonly id: string
  readonly name?: string
  readonly prefix: string
  readonly createdAt: string
  readonly revokedAt?: string
  readonly lastUsedAt?: string
}

/** Asks an endpoint for operators. The admin key goes with this request and is kept nowhere. */
export async function asAdmin<T>(key: string, path: string, method = 'GET', body?: unknown): Promise<T> {
  return call<T>(path, { method, body, headers: { authorization: `Bearer ${key}` } })
}
