// Entry point of each thread that draws pages.
import { answerTasks } from '@harvestman/threads/thread'

import { drawPages, type DrawnPage, type DrawTask } from './draw.ts'

answerTasks<DrawTask, readonly DrawnPage[]>(drawPages, (pages) =>
  pages.flatMap(({ png, parts = [] }) => [...(png ? [png] : []), ...parts].map(({ buffer }) => buffer)),
)
