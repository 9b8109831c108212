import { z } from 'zod'

const color = z.string().regex(/^#[0-9A-F]{6}$/)
const text = z.string().max(300)
const url = z.string().max(100_000)
const stack = z.array(text).max(20)

const component = z.object({
  background: color.optional(),
  textColor: color.optional(),
  borderColor: color.optional(),
  borderRadius: text.optional(),
  borderRadiusCorners: z
    .object({ topLeft: text, topRight: text, bottomRight: text, bottomLeft: text })
    .optional()
    .describe('If they differ.'),
  shadow: text.optional(),
})

/** Schema of the visual identity of a page. Unknown values are absent. */
export const brandingProfile = z.object({
  colorScheme: z.enum(['light', 'dark']).optional(),
  brandName: text.optional(),
  logo: url.optional().describe('The same as `images.logo`.'),
  fonts: z
    .array(z.object({ family: text, role: z.enum(['body', 'heading', 'code']) }))
    .max(10)
    .optional(),
  colors: z
    .object({
      primary: color.optional(),
      secondary: color.optional(),
      accent: color.optional(),
      background: color.optional(),
      textPrimary: color.optional(),
      textSecondary: color.optional(),
      link: color.optional(),
      success: color.optional(),
      warning: color.optional(),
      error: color.optional(),
    })
    .optional(),
  typography: z
    .object({
      fontFamilies: z.object({ primary: text.optional(), heading: text.optional(), code: text.optional() }).optional(),
      fontStacks: z
        .object({
          primary: stack.optional(),
          heading: stack.optional(),
          body: stack.optional(),
          paragraph: stack.optional(),
        })
        .optional(),
      fontSizes: z
        .object({
          h1: text.optional(),
          h2: text.optional(),
          h3: text.optional(),
          body: text.optional(),
          small: text.optional(),
        })
        .optional(),
      lineHeights: z.object({ heading: z.number().optional(), body: z.number().optional() }).optional(),
      fontWeights: z
        .object({
          light: z.number().optional(),
          regular: z.number().optional(),
          medium: z.number().optional(),
          bold: z.number().optional(),
        })
        .optional(),
    })
    .optional(),
  spacing: z
    .object({
      baseUnit: z.number().optional(),
      padding: z.object({ vertical: z.number().optional(), horizontal: z.number().optional() }).optional(),
      margins: z.object({ vertical: z.number().optional() }).optional(),
      gridGutter: z.number().optional(),
      borderRadius: text.optional(),
    })
    .optional(),
  components: z
    .object({
      buttonPrimary: component.optional(),
      buttonSecondary: component.optional(),
      input: component.optional(),
    })
    .optional(),
  images: z
    .object({
      logo: url.optional(),
      logoHref: url.optional(),
      logoAlt: text.optional(),
      favicon: url.optional(),
      ogImage: url.optional(),
    })
    .optional(),
  animations: z.object({ transitionDuration: text.optional(), easing: text.optional() }).optional(),
  layout: z
    .object({
      grid: z.object({ columns: z.number().optional(), maxWidth: text.optional() }).optional(),
      headerHeight: text.optional(),
      footerHeight: text.optional(),
    })
    .optional(),
})

/** The visual identity of a page. */
export type BrandingProfile = z.output<typeof brandingProfile>
