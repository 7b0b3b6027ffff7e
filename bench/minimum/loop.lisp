;;; Rules of a small planner.
(defrule fetch (object place)
  :cost 3
  :when (and (at object place) (not (held object)))
  :then (progn
          (move place)
          (grasp object (force 0.4) (fingers 3))))

(defrule tidy (room)
  :cost 12
  :when (dirty room)
  :then (progn
          (enter room)
          (with-tools (broom bucket)
            (unless (clean-p room)
              (dolist (corner (corners room))
                (when (dusty corner)
                  (loop for spot in (spots corner) do (sweep spot))))))
          (leave room)))

(defrule rest ()
  :cost 1
  :when t
  :then (wait 10))
