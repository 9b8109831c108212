/** One thing this machine can do, or cannot, and how that is mended. */
export interface Finding {
  readonly name: string
  /** `missing` takes something away; with `broken` nothing works. */
  readonly state: 'good' | 'missing' | 'broken'
  readonly says: string
  readonly fix?: string
}
