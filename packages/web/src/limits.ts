import { json, refuse } from './requests.ts'

/** A limit of a server, as the status view shows it. */
export interface Limit {
  /** The setting that changes it. */
  readonly setting: string
  /** The environment variable of the setting. */
  readonly variable?: string | undefined
  /** `undefined` if there is no limit. */
  readonly value?: number | undefined
  /** `bytes` and `ms` are shown in larger units. */
  readonly unit?: string | undefined
  readonly description: string
}

/** Returns the limits of the server to logged-in users, since limits explain rejected requests. Others get 401. */
export const showLimits = (isIn: boolean, limits: () => readonly Limit[]): Response =>
  isIn ? json(200, { success: true, limits: limits() }) : refuse(401, 'Log in first.')
