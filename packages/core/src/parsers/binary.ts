import { EngineError } from '@harvestman/ports'
import { defineParser } from '../plugin/define.ts'
import { missingParserRemedy } from './missing-parser.ts'

/** Types that can be returned unparsed, and the entry of `parsers` that must be absent for that. */
const parserOfRawType: Readonly<Record<string, string>> = { 'application/pdf': 'pdf' }

/** The last parser: returns the file as base64 if its parser is turned off, and rejects types that no parser supports. */
export const binaryParser = defineParser({
  name: 'binary',
  accepts: ['*'],
  fromPageAlone: true,
  parse: (bytes, { type, contentType, request }) => {
    const choice = parserOfRawType[type]
    const isUnread = choice !== undefined && !request.parsers.some((parser) => parser.type === choice)
    if (!isUnread) throw unsupported(type, choice)
    return { text: { bytes, contentType, kind: 'base64' } }
  },
})

function unsupported(type: string, choice: string | undefined): EngineError {
  const asItIs = ` or switch the parser ${choice} off (parsers: [], parsePDF: false) to get the file itself as base64`
  const remedy = `${missingParserRemedy(type)}${choice ? `,${asItIs}` : ''}.`
  return new EngineError(
    'unsupported_file',
    `The page is a file of type ${type}, which no parser of this engine reads. ${remedy}`,
    {
      details: { type },
    },
  )
}
