import { EngineError } from '@harvestman/ports'

// Packages with parsers for common file types, for the error of an engine without them.
const packages: readonly (readonly [types: RegExp, remedy: string])[] = [
  [/^application\/(?:x-)?pdf$/, 'Add the plugin pdf() of @harvestman/documents/pdf to read it'],
  [
    /^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:excel|word|powerpoint))|msword|(?:x-)?rtf|epub\+zip|x-cfb|zip|mbox|vnd\.ms-outlook|x-subrip|x-(?:la)?tex)|^(?:text\/(?:rtf|calendar|(?:x-)?vcard|vtt|x-tex)|message\/rfc822)$/,
    'Add the plugin documents() of @harvestman/documents to read it',
  ],
  [
    /^image\/(?:png|jpeg|webp|gif|bmp|tiff)$/,
    'Add the plugin ocr() of @harvestman/documents/ocr to recognize its text, and name image in parsers',
  ],
]

/**
 * Creates the error `unsupported_file` for a media type that no parser reads. Its message names the plugin to add. Servers replace
 * that by their own remedy (`messageWith` of `@harvestman/ports`).
 */
export function missingParser(type: string, otherRemedy?: string): EngineError {
  const plugin = packages.find(([types]) => types.test(type))?.[1] ?? 'Add a plugin with a parser for it'
  const problem = `The page is a file of type ${type}, which no parser of this engine reads.`
  const message = [problem, `${plugin}.`, otherRemedy].filter((part) => part !== undefined).join(' ')
  const details = { type, problem, isMissing: true, ...(otherRemedy !== undefined && { otherRemedy }) }
  return new EngineError('unsupported_file', message, { details })
}

/** Creates the error `unsupported_file` for a media type whose parser is not among the `parsers` of the request. */
export function unlistedParser(type: string, parser: string): EngineError {
  const problem = `The page is a file of type ${type}, whose parser ${parser} is not among the parsers of the request.`
  return new EngineError('unsupported_file', `${problem} Add ${parser} to parsers.`, { details: { type } })
}
