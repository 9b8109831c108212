import type { PageMedia } from '@harvestman/html/internal'
import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { pageMedia } from './readings.ts'

const found = z.object({
  url: z.string(),
  sourceURL: z.string().describe('The page.'),
  source: z.enum(['element', 'opengraph', 'twitter', 'json-ld']).describe('Where the page names it.'),
  kind: z.enum(['file', 'stream', 'embed']).describe('A file, a playlist of a stream, or a page with a player.'),
  title: z.string().optional(),
  thumbnail: z.string().optional(),
  duration: z.number().optional().describe('In seconds.'),
  mimeType: z.string().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
})

/** The format `video`: the videos that the markup of a page names, as `videos`. Nothing is downloaded. */
export const video = defineFormat({
  type: 'video',
  as: 'videos',
  aliases: { videos: {} },
  value: z.array(found).describe('Videos that the page names. None is downloaded.'),
  needs: { pageMedia },
  fromPageAlone: true,
  onFailure: 'warn',
  derive: ({ pageMedia: { videos } }, { warn }): PageMedia['videos'] | undefined => {
    if (videos.length > 0) return videos
    warn('The format video found no video in the markup of the page. Videos are not downloaded.')
    return undefined
  },
})

/** The format `audio`: the URL of the first audio file that the markup of a page names. Nothing is downloaded. */
export const audio = defineFormat({
  type: 'audio',
  value: z.string().describe('The URL of the first audio file that the page names. It is not downloaded.'),
  needs: { pageMedia },
  fromPageAlone: true,
  onFailure: 'warn',
  derive: ({ pageMedia: { audios } }, { warn }): string | undefined => {
    const [first] = audios.filter(({ kind }) => kind !== 'embed')
    if (first) return first.url
    warn('The format audio found no audio file in the markup of the page. The sound of videos is not extracted.')
    return undefined
  },
})
