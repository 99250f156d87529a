import { useTranslation } from 'react-i18next'
import { CARDS, fieldsOfCard, type CardName } from './user-form.ts'
import { UserInput, type UserFormApi } from './user-inputs.tsx'
import classes from './user-form.module.css'

interface Props {
  form: UserFormApi
  /** The name is given at creation and stays. */
  isNameFixed?: boolean
}

/** The fields of a user, shared by create and edit: two columns where there is room. */
export function UserFields(props: Props) {
  return (
    <div className={classes['columns']}>
      {CARDS.map((cards) => (
        <div key={cards[0]} className={classes['column']}>
          {cards.map((card) => (
            <Card key={card} card={card} {...props} />
          ))}
        </div>
      ))}
    </div>
  )
}

function Card({ card, ...props }: Props & { card: CardName }) {
  const { t } = useTranslation('users')
  return (
    <fieldset className={classes['card']} data-card={card}>
      <legend className={classes['legend']}>{t(`card.${card}`)}</legend>
      {fieldsOfCard(card).map((name) => (
        <UserInput key={name} name={name} {...props} />
      ))}
    </fieldset>
  )
}
