// Types that several commands of the DevTools protocol use.
import type { Shape } from './shapes.ts'

export const fontFamilies: Shape = { text: 'standard fixed serif sansSerif cursive fantasy math' }
export const scriptFontFamilies: Shape = { text: 'script', parts: { fontFamilies } }
export const fontSizes: Shape = { integer: 'standard fixed' }
export const serializationOptions: Shape = {
  text: 'serialization',
  integer: 'maxDepth',
  record: 'additionalParameters',
}
export const callArgument: Shape = { any: 'value', text: 'unserializableValue objectId' }
export const rect: Shape = { number: 'x y width height' }
export const touchPoint: Shape = {
  number: 'x y radiusX radiusY rotationAngle force tangentialPressure tiltX tiltY id',
  integer: 'twist',
}
const userAgentBrandVersion: Shape = { text: 'brand version' }
export const userAgentMetadata: Shape = {
  text: 'fullVersion platform platformVersion architecture model bitness',
  flag: 'mobile wow64',
  texts: 'formFactors',
  parts: { brands: [userAgentBrandVersion], fullVersionList: [userAgentBrandVersion] },
}
export const mediaFeature: Shape = { text: 'name value' }
export const color: Shape = { integer: 'r g b', number: 'a' }
export const cookiePartitionKey: Shape = { text: 'topLevelSite', flag: 'hasCrossSiteAncestor' }
export const cookieParam: Shape = {
  text: 'name value url domain path sameSite priority sourceScheme',
  flag: 'secure httpOnly',
  number: 'expires',
  integer: 'sourcePort',
  parts: { partitionKey: cookiePartitionKey },
}
export const blockPattern: Shape = { text: 'urlPattern', flag: 'block' }
export const viewport: Shape = { number: 'x y width height scale' }
const dragDataItem: Shape = { text: 'mimeType data title baseURL' }
export const dragData: Shape = { texts: 'files', integer: 'dragOperationsMask', parts: { items: [dragDataItem] } }
export const screenOrientation: Shape = { text: 'type', integer: 'angle' }
export const displayFeature: Shape = { text: 'orientation', integer: 'offset maskLength' }
export const devicePosture: Shape = { text: 'type' }
export const filterEntry: Shape = { flag: 'exclude', text: 'type' }
export const requestPattern: Shape = { text: 'urlPattern resourceType requestStage' }
export const headerEntry: Shape = { text: 'name value' }
export const authChallengeResponse: Shape = { text: 'response username password' }
