import { segmentsOf } from './video.ts'
import type { ReplayPage } from './capture.ts'

/** Formats the HLS playlist of a page's video. `urlOf` returns the URL of the header or of a segment. */
export function playlist(page: ReplayPage, urlOf: (part: 'header' | number) => string): string {
  const lengths = segmentsOf(page)
  const longest = Math.ceil(Math.max(...lengths) / 1_000)
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longest}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${urlOf('header')}"`,
    ...lengths.flatMap((length, at) => [`#EXTINF:${(length / 1_000).toFixed(3)},`, urlOf(at)]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n')
}
