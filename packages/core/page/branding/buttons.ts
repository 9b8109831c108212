import { backgroundOf, hex, isNeutral, readColor } from './colors.ts'
import { shownElements, type Shown } from './elements.ts'

const buttonSelector =
  'button,[role=button],input[type=submit],input[type=button],a[class*=btn i],a[class*=button i],a[class*=cta i]'
const inputSelector =
  'input:not([type]),input[type=text],input[type=email],input[type=search],input[type=password],input[type=url],textarea,select'
const smallest = { width: 30, height: 16 }
const largest = { width: 700, height: 140 }

/** A group of buttons with the same fill or border color. `weight` grows with their area. */
interface Look {
  readonly first: Shown
  readonly isFilled: boolean
  readonly isColored: boolean
  weight: number
}

/** Returns the colors, corners and shadow of a button or field. */
function componentOf({ element, style }: Shown) {
  const background = readColor(style.backgroundColor)
  const text = readColor(style.color)
  const border =
    style.borderTopStyle === 'none' || style.borderTopWidth === '0px' ? undefined : readColor(style.borderTopColor)
  const corners = {
    topLeft: style.borderTopLeftRadius,
    topRight: style.borderTopRightRadius,
    bottomRight: style.borderBottomRightRadius,
    bottomLeft: style.borderBottomLeftRadius,
  }
  const isEven = new Set(Object.values(corners)).size === 1
  return {
    background: hex(background && background.a >= 0.1 ? background : backgroundOf(element)),
    textColor: text && hex(text),
    borderColor: border && border.a > 0 ? hex(border) : undefined,
    borderRadius: corners.topLeft,
    borderRadiusCorners: isEven ? undefined : corners,
    shadow: style.boxShadow === 'none' ? 'none' : style.boxShadow.slice(0, 200),
  }
}

function looksOf(): Look[] {
  const looks = new Map<string, Look>()
  for (const shown of shownElements(buttonSelector)) {
    const { element, style, box } = shown
    if (box.width < smallest.width || box.height < smallest.height) continue
    if (box.width > largest.width || box.height > largest.height) continue
    const background = readColor(style.backgroundColor)
    const isFilled = background !== undefined && background.a >= 0.1
    const hasBorder = style.borderTopStyle !== 'none' && style.borderTopWidth !== '0px'
    if (!isFilled && !hasBorder) continue
    const key = isFilled ? hex(background) : `border ${style.borderTopColor}`
    const name = String(element.getAttribute('class'))
    const weight =
      box.width * box.height * (/primary|cta/i.test(name) ? 4 : /secondary|ghost|outline/i.test(name) ? 0.5 : 1)
    const look = looks.get(key) ?? { first: shown, isFilled, isColored: isFilled && !isNeutral(background), weight: 0 }
    look.weight += weight
    looks.set(key, look)
  }
  return [...looks.values()].sort((one, other) => other.weight - one.weight)
}

/** Reads the buttons and fields of a page. `fills` has the colors of the two main buttons, `undefined` for grey ones. */
export function readComponents() {
  const looks = looksOf()
  const filled = looks.filter(({ isFilled }) => isFilled)
  const main = filled.find(({ isColored }) => isColored) ?? filled[0] ?? looks[0]
  const second = looks.find((look) => look !== main)
  const field = shownElements(inputSelector)[0]
  const fillOf = (look: Look | undefined): string | undefined =>
    look?.isColored === true ? componentOf(look.first).background : undefined
  return {
    fills: [fillOf(main), fillOf(filled.find((look) => look !== main && look.isColored))],
    buttons: looks.map(({ first }) => first),
    components: {
      buttonPrimary: main && componentOf(main.first),
      buttonSecondary: second && componentOf(second.first),
      input: field && componentOf(field),
    },
  }
}
