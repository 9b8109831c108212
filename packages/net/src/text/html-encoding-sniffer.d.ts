// The package has no type declarations.
declare module 'html-encoding-sniffer' {
  function sniffEncoding(
    bytes: Uint8Array,
    options?: {
      readonly xml?: boolean
      readonly transportLayerEncodingLabel?: string
      readonly defaultEncoding?: string
      readonly maxPrescanBytes?: number
    },
  ): string
  export = sniffEncoding
}
