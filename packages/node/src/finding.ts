/** Result of one check of this host, with a remedy. */
export interface Finding {
  readonly name: string
  /** `missing`: a feature is unavailable. `broken`: the server cannot work. */
  readonly state: 'good' | 'missing' | 'broken'
  readonly message: string
  readonly fix?: string
}
