import { clientWith } from './api.ts'

export interface Team {
  readonly id: string
  readonly name?: string
}

/** Keys of a team in the server configuration. They can only be changed there. */
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

/**
 * Calls an operator endpoint. The admin key is sent with this request and not stored. Rejects if the server rejects
 * it.
 */
export async function asAdmin<T>(key: string, path: string, method: 'GET' | 'POST' | 'DELETE' = 'GET', body?: object) {
  return clientWith(key).request<T>(`/${path}`, { method, body })
}
