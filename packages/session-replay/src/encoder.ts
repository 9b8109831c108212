/** Input of the encoder in the page. */
export interface EncoderInput {
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly bitrate: number
  readonly pictures: readonly {
    /** Milliseconds from the start. */
    readonly at: number
    /** Base64. */
    readonly jpeg: string
  }[]
}

/** Output of the encoder in the page, in Base64. */
export interface EncoderOutput {
  readonly description: string | undefined
  readonly samples: readonly { readonly isKey: boolean; readonly bytes: string }[]
}
