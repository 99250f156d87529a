import { useTranslation } from 'react-i18next'
import { NumberFormatBase, useNumericFormat, type NumericFormatProps } from 'react-number-format'
import { inDigits, LATIN_NUMERALS, numeralsOf, readable, type Numerals } from '../lib/digits.ts'

/** What stands in a field of numbers, in the digits of the language; typed or pasted, it may have Latin or Persian ones. */
export function LocalNumberFormat(props: NumericFormatProps) {
  const { i18n } = useTranslation()
  return <NumberFormat {...props} numerals={numeralsOf(i18n.language)} />
}

/** For numbers that machines read, such as ports: in Latin digits wherever they stand. */
export function MachineNumberFormat(props: NumericFormatProps) {
  return <NumberFormat {...props} numerals={LATIN_NUMERALS} />
}

/** Numbers are formatted and read by Latin digits; only what is seen, and where the caret is in it, goes by those of the language. */
function NumberFormat({ numerals, ...props }: NumericFormatProps & { numerals: Numerals }) {
  const { format, removeFormatting, isCharacterSame, isValidInputCharacter, ...rest } = useNumericFormat(props)
  const read = (text: string) => readable(text, numerals)
  return (
    <NumberFormatBase
      {...rest}
      format={(number) => inDigits(format?.(number) ?? number, numerals)}
      removeFormatting={(text, change) =>
        removeFormatting?.(read(text), change && { ...change, lastValue: read(change.lastValue) }) ?? text
      }
      isValidInputCharacter={(character) => isValidInputCharacter?.(read(character)) ?? false}
      isCharacterSame={({ currentValue, lastValue, formattedValue, ...places }) =>
        isCharacterSame?.({
          ...places,
          currentValue: read(currentValue),
          lastValue: read(lastValue),
          formattedValue: read(formattedValue),
        }) ?? false
      }
    />
  )
}
